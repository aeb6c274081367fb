# SPDX-License-Identifier: Apache-2.0
"""Adapters for other libraries; each module imports its library, and divns itself none of them."""

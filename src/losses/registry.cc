// SPDX-License-Identifier: Apache-2.0
#include "divns/registry.h"

#include "base/entry_list.h"
#include "losses/bce.h"
#include "losses/bpr.h"
#include "losses/bsl.h"
#include "losses/ccl.h"
#include "losses/directau.h"
#include "losses/hinge.h"
#include "losses/softmax.h"
#include "losses/warp.h"

namespace divns {
namespace {

EntryList<LossEntry>& loss_list() {
  static EntryList<LossEntry> list(
      "loss",
      {{"bpr", "log(1 + sum_k exp(s(u, negative k) - s(u, positive)))",
        "Rendle et al., BPR, UAI 2009", make_bpr},
       {"softmax", "-s(u, positive)/tau + log sum_k exp(s(u, negative k)/tau)",
        "Wu et al., On the Effectiveness of Sampled Softmax Loss for Item Recommendation, TOIS "
        "2024",
        make_softmax},
       {"bsl", "-s(u, positive)/tau + t log sum_k exp(s(u, negative k)/tau)",
        "Wu et al., BSL: Understanding and Improving Softmax Loss for Recommendation, ICDE 2024",
        make_bsl},
       {"bce", "log(1 + exp(-s(u, positive))) + (w/K) sum_k log(1 + exp(s(u, negative k)))",
        "He et al., Neural Collaborative Filtering, WWW 2017", make_bce},
       {"ccl", "1 - cos(u, positive) + (w/K) sum_k max(0, cos(u, negative k) - m)",
        "Mao et al., SimpleX, CIKM 2021", make_ccl},
       {"hinge", "(1/K) sum_k max(0, m - s(u, positive) + s(u, negative k))",
        "Herbrich et al., Large Margin Rank Boundaries for Ordinal Regression, 2000", make_hinge},
       {"warp", "H(rank) max(0, m - s(u, positive) + s(u, negative N)), N the first violation",
        "Weston et al., WSABIE, IJCAI 2011", make_warp},
       {"directau", "|u - positive|^2 + (gamma/2) (uniformity of users + uniformity of positives)",
        "Wang et al., Towards Representation Alignment and Uniformity in Collaborative Filtering, "
        "KDD 2022",
        make_directau}});
  return list;
}

}  // namespace

std::span<const LossEntry> losses() {
  return loss_list().all();
}

const LossEntry& find_loss(std::string_view name) {
  return loss_list().find(name);
}

void register_loss(LossEntry entry) {
  loss_list().add(std::move(entry), [](const LossEntry& e) { return e.make != nullptr; });
}

}  // namespace divns

# SPDX-License-Identifier: Apache-2.0
# needs: torch
"""A two-tower model in PyTorch with negatives by DivNS: ids and features to one vector each.

The sampler reads the tables of item and user vectors that the towers computed last.
"""

import torch
from torch import nn
from torch.utils.data import DataLoader

import divns
from divns.integrations.torch import Batches

DIM, EPOCHS = 32, 12
torch.manual_seed(1)
data = divns.Dataset.synthetic("demo")
popularity = torch.bincount(torch.tensor(data.train.indices), minlength=data.items).float()
activity = torch.tensor(data.train.indptr).diff().float()


class Tower(nn.Module):
    """An embedding and one feature, through two layers."""

    def __init__(self, feature: torch.Tensor) -> None:
        super().__init__()
        self.embedding = nn.Embedding(len(feature), DIM)
        self.layers = nn.Sequential(nn.Linear(DIM + 1, DIM), nn.Tanh(), nn.Linear(DIM, DIM))
        self.register_buffer("feature", torch.log1p(feature)[:, None])

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """Vectors of these rows, of any shape."""
        return self.layers(torch.cat([self.embedding(rows), self.feature[rows]], dim=-1))

    def table(self) -> torch.Tensor:
        """Vectors of all rows."""
        with torch.no_grad():
            return self(torch.arange(len(self.feature)))


users, items = Tower(activity), Tower(popularity)
optimizer = torch.optim.Adam([*users.parameters(), *items.parameters()], lr=0.003)
sampler = divns.Sampler("divns", data, dim=DIM, batch_size=256, divns__lambda=0.7)
batches = DataLoader(Batches(sampler, lambda: (users.table(), items.table())), batch_size=None)


def recall() -> float:
    """Recall@20 on the validation part."""
    vectors = users.table().numpy(), items.table().numpy()
    return divns.evaluate(vectors, data, part="valid", topk=[20])["recall@20"]


before = recall()
for epoch in range(EPOCHS):
    for batch in batches:
        user, positive = users(batch.users), items(batch.positives)
        negative = (batch.weights[:, 0, :, None] * items(batch.negatives[:, 0])).sum(1)
        loss = -nn.functional.logsigmoid((user * (positive - negative)).sum(1)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if epoch % 4 == 3:
        print(f"epoch {epoch + 1}: loss {loss.item():.3f}, recall@20 {recall():.4f}")
assert recall() > 3 * before

# SPDX-License-Identifier: Apache-2.0
# needs: torch
"""A two-tower model in PyTorch with negatives by DivNS: an id and a feature to one vector.

The towers compute all vectors anew before every batch, so that the sampler sees the current ones.
Where the vectors are parameters, `divns.integrations.torch.Batches` reads them in place instead.
"""

import torch
from torch import nn

import divns

DIM, EPOCHS = 32, 10
torch.manual_seed(1)
data = divns.Dataset.synthetic("demo")
popularity = torch.bincount(torch.tensor(data.train.indices), minlength=data.items).float()
activity = torch.tensor(data.train.indptr).diff().float()


class Tower(nn.Module):
    """The sum of an embedding and a feature that went through two layers."""

    def __init__(self, feature: torch.Tensor) -> None:
        super().__init__()
        self.embedding = nn.Embedding(len(feature), DIM)
        nn.init.normal_(self.embedding.weight, std=0.1)
        self.layers = nn.Sequential(nn.Linear(1, DIM), nn.Tanh(), nn.Linear(DIM, DIM))
        self.register_buffer("feature", torch.log1p(feature)[:, None])

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """Vectors of these rows, of any shape."""
        return self.embedding(rows) + self.layers(self.feature[rows])

    def table(self) -> torch.Tensor:
        """Vectors of all rows."""
        with torch.no_grad():
            return self(torch.arange(len(self.feature)))


users, items = Tower(activity), Tower(popularity)
parameters = [*users.parameters(), *items.parameters()]
optimizer = torch.optim.Adam(parameters, lr=0.01, weight_decay=1e-5)
sampler = divns.Sampler("divns", data, dim=DIM, batch_size=256, divns__lambda=0.7)


def recall() -> float:
    """Recall@20 on the validation part."""
    vectors = users.table().numpy(), items.table().numpy()
    return divns.evaluate(vectors, data, part="valid", topk=[20])["recall@20"]


before = recall()
for epoch in range(EPOCHS):
    sampler.begin_epoch(users.table(), items.table())
    while (batch := sampler.batch(users.table(), items.table())) is not None:
        user, positive = users(batch.users), items(batch.positives)
        negative = (batch.weights[:, 0, :, None] * items(batch.negatives[:, 0])).sum(1)
        loss = -nn.functional.logsigmoid((user * (positive - negative)).sum(1)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if epoch % 5 == 4:
        print(f"epoch {epoch + 1}: loss {loss.item():.3f}, recall@20 {recall():.4f}")
assert recall() > 3 * before

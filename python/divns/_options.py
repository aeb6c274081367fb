# SPDX-License-Identifier: Apache-2.0
"""Keyword arguments and their types, by `python/tools/generate_options.py` from the options tables.

A dot in the name of an option is written as two underscores: `divns__lambda` sets `divns.lambda`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict


class RunOptions(TypedDict, total=False):
    """Options that all runs of a study share."""

    # values of the options that are not set otherwise: the defaults, those of the code of the
    # sampler's authors, or those of a short training (default none)
    preset: Literal["none", "authors", "fast"]
    # loss on the scores of positives and negatives (default bpr)
    loss: str
    # embedding dimension [1 to 4096] (default 64)
    embedding_dim: int
    # step size of the optimizer [above 0] (default 0.001)
    learning_rate: float
    # weight of the squared norms of the ego embeddings in a batch [at least 0] (default 0.0001)
    l2: float
    # weight of the squared norms of the users of a batch; l2 if unset [at least 0]
    l2_user: float
    # weight of the squared norms of the positive items of a batch; l2 if unset [at least 0]
    l2_positive: float
    # weight of the squared norms of the negatives of a batch; l2 if unset [at least 0]
    l2_negative: float
    # maximum number of passes over the training pairs [at least 0] (default 1000)
    epochs: int
    # training pairs per batch [at least 1] (default 2048)
    batch_size: int
    # negatives per training pair [1 to 1024] (default 1)
    negatives: int
    # optimizer: dense Adam, Adam that does not move rows without a gradient, or SGD (default adam)
    optimizer: Literal["adam", "lazy_adam", "sgd"]
    # decay of Adam's first moment [0 to 0.9999] (default 0.9)
    beta1: float
    # decay of Adam's second moment [0 to 0.999999] (default 0.999)
    beta2: float
    # constant that keeps Adam from dividing by zero [above 0] (default 1e-08)
    epsilon: float
    # learning rate over the run: constant, or falling to 0 at the end of `epochs` along a line or
    # half a cosine (default constant)
    schedule: Literal["constant", "linear", "cosine"]
    # number of epochs in which the learning rate rises from 0; may be a fraction [at least 0]
    # (default 0)
    warmup_epochs: float
    # initial parameters: Xavier-uniform, normal with init_std, or the singular vectors of the
    # normalised matrix of training pairs (default xavier)
    init: Literal["xavier", "normal", "svd"]
    # standard deviation for init = normal; root mean square of the entries for init = svd [above 0]
    # (default 0.1)
    init_std: float
    # pairs of an epoch: every training pair once, or as many draws of a random user and one of the
    # user's items (default shuffle)
    pairs: Literal["shuffle", "user_uniform"]
    # number of user blocks and item blocks, as UxI: the pairs of one user block and one item block
    # are trained at a time, with negatives from that item block (default 1x1)
    blocks: str
    # skip the last batch of an epoch if it is not full (default false)
    drop_last: bool
    # score of a user and an item: inner product of their vectors, or its cosine (default inner)
    similarity: Literal["inner", "cosine"]
    # score item vectors scaled to unit length (default false)
    unit_items: bool
    # apply the L2 penalty to each item of a mixed negative instead of to the mixture (default
    # false)
    regularise_parts: bool
    # file of lines item,group with original ids, for samplers that use groups of items
    item_groups: str
    # apply the L2 penalty to B negatives per row of a batch of B rows: the first item of the row's
    # own negative combined with the second item of every row's negative (default false)
    broadcast_regulariser: bool
    # let each positive compete with the same B negatives in the loss (default false)
    broadcast_loss: bool
    # defaults of eval_every, eval_first, patience_epochs and drop_last: the paper's, its released
    # code's, or MixGCF's (default paper)
    protocol: Literal["paper", "rel", "mixgcf"]
    # validation metric for early stopping, for example ndcg@10 (default recall@20)
    valid_metric: str
    # number of epochs between validations [at least 1] (default 5)
    eval_every: int
    # validate after the first epoch too (default false)
    eval_first: bool
    # number of epochs without a better validation result after which training stops [at least 1]
    # (default 20)
    patience_epochs: int
    # number of users whose negatives are described in every epoch (diversity, popularity and so on)
    # [at least 0] (default 500)
    diagnostics_users: int
    # number of users whose candidates, cache and negatives are recorded for the map of a report [0
    # to 20] (default 0)
    record_users: int
    # allow samplers that were published for graph models with mf (default false)
    allow_extensions: bool
    # number of propagation layers [1 to 16] (default 3)
    lightgcn__layers: int
    # average the hops 1 to L only, without the ego embedding (default false)
    lightgcn__skip_layer0: bool
    # storage of the hops that graph products read: float32, or bfloat16, which halves the memory
    # traffic; sums and parameters stay float32 (default float32)
    lightgcn__precision: Literal["float32", "bfloat16"]
    # distribution of items: popularity (count^exponent) or log_popularity (log(1 + count)), where
    # count is the number of training pairs of an item (default popularity)
    pns__law: Literal["popularity", "log_popularity"]
    # exponent of an item's training count when law = popularity [0 to 10] (default 0.75)
    pns__exponent: float
    # reject items that the user has a training pair with (default true)
    pns__reject_positives: bool
    # number of candidates per negative (n) [1 to 100000] (default 10)
    dns__candidates: int
    # draw candidates with replacement (default true)
    dns__replacement: bool
    # distribution of candidates: uniform, popularity (count^exponent) or log_popularity (log(1 +
    # count)), where count is the number of training pairs of an item (default uniform)
    dns__law: Literal["uniform", "popularity", "log_popularity"]
    # exponent of an item's training count when law = popularity [0 to 10] (default 0.75)
    dns__exponent: float
    # reject items that the user has a training pair with (default true)
    dns__reject_positives: bool
    # number of candidates drawn per user and epoch (C) [1 to 100000] (default 200)
    adasir__candidates: int
    # distribution of candidates: uniform, popularity (count^exponent) or log_popularity (log(1 +
    # count)), where count is the number of training pairs of an item (default uniform)
    adasir__law: Literal["uniform", "popularity", "log_popularity"]
    # exponent of an item's training count when law = popularity [0 to 10] (default 0.75)
    adasir__exponent: float
    # reject items that the user has a training pair with (default true)
    adasir__reject_positives: bool
    # number of items in the pool of a user (S) [1 to 100000] (default 50)
    adasir__pool_size: int
    # number of epochs between full rebuilds of the pool [at least 1] (default 10000)
    adasir__renew_every: int
    # weights of the losses of the K negatives: none, uniform, as in the authors' code, or corrected
    # for the draw (default off)
    adasir__importance: Literal["off", "uniform", "code", "divide"]
    # weight of a positive by its estimated rank: none, larger for low-ranked positives, or as in
    # the authors' code, larger for high-ranked ones (default off)
    adasir__rank_weight: Literal["off", "corrected", "code"]
    # number of candidates per negative (n) [1 to 100000] (default 10)
    dns_mn__candidates: int
    # draw candidates with replacement (default true)
    dns_mn__replacement: bool
    # distribution of candidates: uniform, popularity (count^exponent) or log_popularity (log(1 +
    # count)), where count is the number of training pairs of an item (default uniform)
    dns_mn__law: Literal["uniform", "popularity", "log_popularity"]
    # exponent of an item's training count when law = popularity [0 to 10] (default 0.75)
    dns_mn__exponent: float
    # reject items that the user has a training pair with (default true)
    dns_mn__reject_positives: bool
    # number of highest-scoring candidates that the negative is drawn from (M) [1 to 100000]
    # (default 2)
    dns_mn__top: int
    # distribution over the M best candidates: uniform, or proportional to 1 / rank (default
    # uniform)
    dns_mn__rank_law: Literal["uniform", "harmonic"]
    # average the loss over all M candidates instead of drawing one (default false)
    dns_mn__use_all_m: bool
    # number of candidates per negative (n) [1 to 100000] (default 10)
    mixgcf__candidates: int
    # draw candidates with replacement (default true)
    mixgcf__replacement: bool
    # distribution of candidates: uniform, popularity (count^exponent) or log_popularity (log(1 +
    # count)), where count is the number of training pairs of an item (default uniform)
    mixgcf__law: Literal["uniform", "popularity", "log_popularity"]
    # exponent of an item's training count when law = popularity [0 to 10] (default 0.75)
    mixgcf__exponent: float
    # reject items that the user has a training pair with (default true)
    mixgcf__reject_positives: bool
    # user vector that scores the candidates of a hop: the pooled one, or that of the same hop
    # (default pooled)
    mixgcf__hop_query: Literal["pooled", "hop"]
    # number of candidates per negative [1 to 65536] (default 6)
    dens__candidates: int
    # number of epochs until the weight of the relevant part in the choice reaches 1; 0: at once [at
    # least 0] (default 100)
    dens__warmup: int
    # weight of the contrastive loss that trains the gates; with 0 they stay as initialised [at
    # least 0] (default 0.3)
    dens__gamma: float
    # constant weight of the relevant part in the choice, instead of the warm-up [0 to 1]
    dens__alpha: float
    # number of candidates per negative (n) [1 to 100000] (default 32)
    ahns__candidates: int
    # draw candidates with replacement (default true)
    ahns__replacement: bool
    # distribution of candidates: uniform, popularity (count^exponent) or log_popularity (log(1 +
    # count)), where count is the number of training pairs of an item (default uniform)
    ahns__law: Literal["uniform", "popularity", "log_popularity"]
    # exponent of an item's training count when law = popularity [0 to 10] (default 0.75)
    ahns__exponent: float
    # reject items that the user has a training pair with (default true)
    ahns__reject_positives: bool
    # constant that is added to the score of the positive (default 1)
    ahns__alpha: float
    # scale of the target score (default 0.1)
    ahns__beta: float
    # exponent: the target score is proportional to the power p + 1 of the positive's score (default
    # -2)
    ahns__p: float
    # similarity for the choice: inner product, cosine, or squared distance; the loss uses inner
    # products (default ip)
    ahns__similarity: Literal["ip", "cos", "distance"]
    # weight of the contrastive loss between views; 0: sampler only [at least 0] (default 0.5)
    scone__cl_weight: float
    # temperature of the contrastive loss [at least 0.05] (default 0.2)
    scone__temperature: float
    # weight of the negative in the mixture with the positive at every step [0 to 1] (default 0.9)
    scone__negative_weight: float
    # share of the diffusion that vectors are noised to, and of the steps back [0.0001 to 1]
    # (default 0.1)
    scone__sampling_ratio: float
    # number of steps of the whole diffusion [1 to 10000] (default 100)
    scone__diffusion_steps: int
    # noise level at the start of the diffusion [above 0] (default 0.01)
    scone__sigma_min: float
    # noise level at the end of the diffusion [above 0] (default 50)
    scone__sigma_max: float
    # inner and hidden width of the score network [1 to 4096] (default 64,128)
    scone__score_dims: Sequence[int]
    # number of random users and items per batch that the score network learns from; 0: all [at
    # least 0] (default 2048)
    scone__score_rows: int
    # learning rate of the score network [above 0] (default 0.001)
    scone__score_learning_rate: float
    # number of batches over which the learning rate of the score network rises from 0 [at least 1]
    # (default 10000)
    scone__score_warmup: int
    # maximum norm of the gradient of the score network; 0: no limit [at least 0] (default 1)
    scone__score_clip: float
    # leave the Jacobian of the score network out of the gradient of negatives and views (default
    # false)
    scone__detach_score: bool
    # weight of the authors' regulariser (|users| + |positives|) / batch, with the norms of whole
    # matrices of pooled vectors; use it with l2 = 0 [at least 0] (default 0)
    scone__norm_weight: float
    # a set of defaults: those of the paper, or what the code released by its authors computes
    # (docs/divns.md lists the options) (default paper)
    divns__variant: Literal["paper", "released"]
    # number of candidates per negative (n) [1 to 100000] (default 10)
    divns__candidates: int
    # draw candidates with replacement (default false)
    divns__replacement: bool
    # distribution of candidates: uniform, popularity (count^exponent) or log_popularity (log(1 +
    # count)), where count is the number of training pairs of an item (default uniform)
    divns__law: Literal["uniform", "popularity", "log_popularity"]
    # exponent of an item's training count when law = popularity [0 to 10] (default 0.75)
    divns__exponent: float
    # reject items that the user has a training pair with (default true)
    divns__reject_positives: bool
    # number of candidates per positive that go into the cache (m) [1 to 1000000] (default 4)
    divns__cache_ratio: int
    # weight of the hard negative in the mixture [0 to 1] (default 0.7)
    divns__lambda: float
    # choice of diverse items from the cache: greedy k-DPP with the penalty for similarity to hard
    # negatives, the same without the penalty, an exact draw of the k-DPP with the penalty, uniform
    # draws, the items most opposite to some hard negative, the hard negative itself, or none (DNS)
    # (default augmented)
    divns__diverse: Literal["augmented", "vanilla", "exact", "uniform", "opposite", "hard", "off"]
    # what diverse = opposite measures against: the hard negatives, or the items whose numbers are
    # the positions of the hard negatives in their lists of candidates (default hard)
    divns__opposite_to: Literal["hard", "positions"]
    # keep cached items that are hard negatives of the epoch as possible partners (default false)
    divns__keep_hard: bool
    # partner of a hard negative: a random one of the chosen items, or the next in the order of
    # their choice (default random)
    divns__pairing: Literal["random", "ordered"]
    # combination of the hard and the diverse negative: one mixed vector, or two negatives in the
    # loss (default mix)
    divns__combine: Literal["mix", "pair"]
    # time of the choice of hard negatives: at the start of an epoch, or in every batch, with
    # partners from the start of the epoch (default epoch)
    divns__timing: Literal["epoch", "batch"]
    # partners if there are fewer diverse items than hard negatives: use items again, leave some
    # hard negatives without a partner, or draw partners uniformly (default recycle)
    divns__shortage: Literal["recycle", "unmixed", "refill"]
    # penalty factor q: 1 - mean cosine (up to 2), the same clipped to 1, or half of it (default
    # formula)
    divns__penalty: Literal["formula", "clip", "half"]
    # count a hard negative that occurs several times only once in the penalty (default false)
    divns__distinct_hard: bool
    # scale vectors to unit length in the kernel (default true)
    divns__unit_kernel: bool
    # use the vectors from the time when the cache was filled in the kernel (default false)
    divns__cached_vectors: bool
    # break ties between equal gains at random instead of by item number (default false)
    divns__random_ties: bool
    # choice beyond the rank of the kernel: continue with a jittered diagonal, start again with the
    # remaining items, or stop and apply divns.shortage (default jitter)
    divns__rank_policy: Literal["jitter", "rounds", "stop"]
    # constant that is added to the diagonal of the kernel [above 0] (default 1e-06)
    divns__jitter: float
    # number of items in the memory of a user (S1) [1 to 100000] (default 20)
    srns__memory: int
    # number of random items that join the memory at an update (S2) [0 to 100000] (default 20)
    srns__fresh: int
    # weight of the standard deviation of a score over past epochs [at least 0] (default 1)
    srns__alpha: float
    # number of epochs over which the weight rises from 0 [at least 1] (default 50)
    srns__warmup: int
    # temperature of the softmax that draws the items that stay in the memory (tau) [above 0]
    # (default 1)
    srns__temperature: float
    # number of past epochs whose vectors are kept for the standard deviation [0 to 100] (default 5)
    srns__history: int
    # exponent of the estimated positive distribution [0 to 10] (default 0.75)
    mcns__alpha: float
    # probability of a uniform proposal instead of one of the nearest items [0 to 1] (default 0.5)
    mcns__uniform: float
    # number of nearest items of an item that a chain may move to [1 to 100000] (default 100)
    mcns__neighbours: int
    # users with more training pairs than this are not used to find the nearest items [at least 1]
    # (default 1000)
    mcns__longest: int
    # number of steps before the first negative of a chain [at least 0] (default 100)
    mcns__burn_in: int
    # number of steps per negative [at least 1] (default 1)
    mcns__steps: int
    # number of candidates per negative (n) [1 to 100000] (default 5)
    bns__candidates: int
    # draw candidates with replacement (default false)
    bns__replacement: bool
    # distribution of candidates: uniform, popularity (count^exponent) or log_popularity (log(1 +
    # count)), where count is the number of training pairs of an item (default uniform)
    bns__law: Literal["uniform", "popularity", "log_popularity"]
    # exponent of an item's training count when law = popularity [0 to 10] (default 0.75)
    bns__exponent: float
    # reject items that the user has a training pair with (default true)
    bns__reject_positives: bool
    # weight of sampling an informative true negative against the risk of a false one [at least 0]
    # (default 5)
    bns__lambda: float
    # number of random items per batch that the distribution of a user's scores is estimated from;
    # 0: all items [at least 0] (default 1000)
    bns__reference: int
    # number of edges per item in the item graph [1 to 100000] (default 50)
    gnno__neighbours: int
    # users with more training pairs than this add no edges to the item graph [at least 1] (default
    # 1000)
    gnno__longest: int
    # number of items with the largest neighbourhood overlap that are kept per item [1 to 100000]
    # (default 100)
    gnno__overlaps: int
    # items with a larger overlap with the positive are taken for false negatives and left out [0 to
    # 1] (default 0.5)
    gnno__max_overlap: float
    # leave out items that have an edge with the positive (default false)
    gnno__skip_neighbours: bool
    # number of epochs over which the largest allowed overlap rises to its full value [at least 1]
    # (default 50)
    gnno__warmup: int
    # probability of a draw by overlap instead of a uniform draw [0 to 1] (default 0.5)
    gnno__share: float
    # number of candidates per negative (n) [1 to 100000] (default 64)
    irgan__candidates: int
    # draw candidates with replacement (default true)
    irgan__replacement: bool
    # distribution of candidates: uniform, popularity (count^exponent) or log_popularity (log(1 +
    # count)), where count is the number of training pairs of an item (default uniform)
    irgan__law: Literal["uniform", "popularity", "log_popularity"]
    # exponent of an item's training count when law = popularity [0 to 10] (default 0.75)
    irgan__exponent: float
    # reject items that the user has a training pair with (default true)
    irgan__reject_positives: bool
    # embedding dimension of the generator [1 to 4096] (default 5)
    irgan__dim: int
    # learning rate of the generator [above 0] (default 0.001)
    irgan__generator_learning_rate: float
    # temperature of the generator's distribution (tau) [above 0] (default 1)
    irgan__temperature: float
    # number of candidates per negative (n) [1 to 100000] (default 64)
    advir__candidates: int
    # draw candidates with replacement (default true)
    advir__replacement: bool
    # distribution of candidates: uniform, popularity (count^exponent) or log_popularity (log(1 +
    # count)), where count is the number of training pairs of an item (default uniform)
    advir__law: Literal["uniform", "popularity", "log_popularity"]
    # exponent of an item's training count when law = popularity [0 to 10] (default 0.75)
    advir__exponent: float
    # reject items that the user has a training pair with (default true)
    advir__reject_positives: bool
    # embedding dimension of the generator [1 to 4096] (default 5)
    advir__dim: int
    # learning rate of the generator [above 0] (default 0.001)
    advir__generator_learning_rate: float
    # temperature of the generator's distribution (tau) [above 0] (default 1)
    advir__temperature: float
    # length of the adversarial displacement of a negative's vector [at least 0] (default 0.1)
    advir__epsilon: float
    # step size of the group probabilities [at least 0] (default 0.2)
    fairneg__rate: float
    # share of the last step in a step of the probabilities [0 to 0.999999] (default 0.9)
    fairneg__momentum: float
    # probability of a draw by score instead of a draw by groups [0 to 1] (default 0.1)
    fairneg__hard: float
    # temperature of the draws by score (tau) [above 0] (default 0.4)
    fairneg__temperature: float
    # number of uniform candidates of a draw by score (n) [1 to 100000] (default 200)
    fairneg__candidates: int
    # file of lines user,item[,weight] with original ids
    file__path: str
    # use of the listed items: drawn as negatives of the user in proportion to their weights, or
    # never drawn (default negatives)
    file__mode: Literal["negatives", "never"]
    # probability of a draw from the user's list instead of a uniform draw, for mode = negatives [0
    # to 1] (default 1)
    file__share: float
    # number of draws per negative (n), of which the highest-scoring is taken [1 to 100000] (default
    # 1)
    file__candidates: int
    # exponent of the weight 1 / chance that corrects for popular items being positives more often:
    # 0 for no correction, 1 for an estimate over all items [0 to 1] (default 1)
    in_batch__correction: float
    # number of items drawn per batch (M) [1 to 65536] (default 1024)
    shared__size: int
    # distribution of items: uniform, without replacement, or popularity (count^exponent), with
    # replacement, where count is the number of training pairs of an item (default uniform)
    shared__law: Literal["uniform", "popularity"]
    # exponent of an item's training count when law = popularity [0 to 10] (default 0.75)
    shared__exponent: float
    # exponent of the weight 1 / chance that corrects for unequal chances: 0 for no correction, 1
    # for an estimate over all items [0 to 1] (default 1)
    shared__correction: float
    # number of items drawn per batch (M) [1 to 65536] (default 1024)
    mixed__size: int
    # exponent of the weight 1 / chance that corrects for popular items being positives more often:
    # 0 for no correction, 1 for an estimate over all items [0 to 1] (default 1)
    mixed__correction: float
    # number of items drawn per batch (M) [1 to 65536] (default 1024)
    hard_shared__size: int
    # distribution of items: uniform, without replacement, or popularity (count^exponent), with
    # replacement, where count is the number of training pairs of an item (default uniform)
    hard_shared__law: Literal["uniform", "popularity"]
    # exponent of an item's training count when law = popularity [0 to 10] (default 0.75)
    hard_shared__exponent: float
    # exponent of the weight 1 / chance that corrects for unequal chances: 0 for no correction, 1
    # for an estimate over all items [0 to 1] (default 1)
    hard_shared__correction: float
    # number of items of the set that enter the loss of a row: those with the highest scores (T) [1
    # to 65536] (default 64)
    hard_shared__hardest: int
    # number of items chosen per batch (M); at most the rank of the pool's vectors, which is the
    # embedding dimension or less [1 to 4096] (default 32)
    dpp_shared__size: int
    # number of uniform items to choose from [1 to 65536] (default 2048)
    dpp_shared__pool: int
    # exponent of the weight 1 / chance of a chosen item: 0 for equal weights, 1 for an estimate
    # over the pool [0 to 1] (default 1)
    dpp_shared__correction: float
    # divisor of the scores; 1.1 / ln(number of items) if unset [0.001 to 1000]
    softmax__temperature: float
    # include the positive in the sum over the negatives (InfoNCE) (default false)
    softmax__positive_in_denominator: bool
    # multi pools the positives that a user has in the batch; reweight does not (default reweight)
    bsl__mode: Literal["reweight", "multi"]
    # divisor of the scores; 1.1 / ln(number of items) if unset [0.001 to 1000]
    bsl__temperature: float
    # weight of the sum over the negatives: temperature of the positives divided by that of the
    # negatives [above 0] (default 0.84)
    bsl__ratio: float
    # weight of the mean over the negatives [above 0] (default 1)
    bce__negative_weight: float
    # cosine up to which a negative costs nothing [-1 to 1] (default 0.8)
    ccl__margin: float
    # weight of the mean over the negatives [above 0] (default 10)
    ccl__weight: float
    # difference between the scores of the positive and a negative above which the negative costs
    # nothing [above 0] (default 1)
    hinge__margin: float
    # difference between the scores of the positive and a negative above which the negative is no
    # violation [above 0] (default 1)
    warp__margin: float
    # weight of the uniformity of users and positives relative to their alignment [above 0] (default
    # 1)
    directau__gamma: float
    # weight of the L2 penalty on the item-item weights [above 0] (default 500)
    ease__l2: float
    # largest size of the items x items matrix in GiB [above 0] (default 8)
    ease__max_gib: float
    # embedding dimension [1 to 4096] (default 64)
    ials__factors: int
    # maximal number of epochs; an epoch solves both sides once [at least 1] (default 40)
    ials__epochs: int
    # weight of the unobserved pairs [above 0] (default 0.1)
    ials__alpha0: float
    # weight of the L2 penalty [above 0] (default 0.1)
    ials__l2: float
    # exponent by which l2 grows with the number of pairs; 0 for constant [0 to 2] (default 0.5)
    ials__nu: float
    # typical length of an initial item vector [above 0] (default 0.1)
    ials__init_std: float
    # number of epochs without a better validation before fitting stops; 0 for never [at least 0]
    # (default 3)
    ials__patience: int


class TrainOptions(RunOptions, total=False):
    """Options of a training."""

    # sampler of negatives [rns | pns | dns | adasir | dns_mn | mixgcf | dens | ahns | scone | divns
    # | srns | mcns | bns | gnno | irgan | advir | fairneg | file | in_batch | shared | mixed |
    # hard_shared | dpp_shared] (default rns)
    sampler: str
    # seed of all random choices (default 1)
    seed: int


class PrepareOptions(TypedDict, total=False):
    """Options of the preparation of a dataset."""

    # format of the input [auto | csv | tsv | uirt | inter | adjacency | ml-100k | ml-1m | ml-csv |
    # amazon-json | amazon-csv | ncf | yelp] (default auto)
    format: str
    # encoding of the inputs and of the titles (default auto)
    encoding: Literal["auto", "utf-8", "latin-1", "utf-16"]
    # separator of the fields: tab, comma, space, | or :: (default: detected)
    delimiter: str
    # column of the user: header name, JSON key, or number from 1
    user_column: str
    # column of the item, given likewise
    item_column: str
    # column of the rating, given likewise
    rating_column: str
    # column of the time, given likewise
    time_column: str
    # drop pairs with a lower rating
    min_rating: float
    # drop pairs before this time: a number, or a date such as 2018-07-07
    since: str
    # drop pairs after this time
    until: str
    # drop users and items with fewer pairs, repeatedly, until all that remain have as many [0 to
    # 1000000000] (default 0)
    k_core: int
    # likewise, for users only [0 to 1000000000] (default 0)
    user_core: int
    # likewise, for items only [0 to 1000000000] (default 0)
    item_core: int
    # how pairs are divided into train, valid and test (default random)
    split: Literal["random", "per-user", "leave-one-out", "temporal", "temporal-per-user"]
    # shares of train, valid and test [0 to 1] (default 0.7,0.1,0.2)
    ratios: Sequence[float]
    # seed of the split (default 1)
    seed: int
    # file with your own validation part; the inputs are then the training part
    valid_file: str
    # file with your own test part; the inputs are then the training part
    test_file: str
    # share of the training pairs to move to the validation part at random, with --test-file [0 to
    # 0.9] (default 0)
    valid_share: float
    # file with an item id and its title on each line
    item_names: str
    # header name or number of the title's column (default 2)
    item_name_column: str
    # memory to use, for example 2G: beyond it, pairs wait on disk (default: half of the machine's
    # memory)
    memory_limit: str
    # folder for pairs on disk; the folder for temporary files if unset
    scratch: str
    # replace an existing prepared dataset (default false)
    overwrite: bool


class SyntheticOptions(TypedDict, total=False):
    """Options of synthetic data."""

    # number of users [1 to 2000000000] (default 2000)
    users: int
    # number of items [1 to 2000000000] (default 1500)
    items: int
    # number of distinct (user, item) pairs [1 to 4000000000] (default 80000)
    pairs: int
    # dimension of the item vectors [1 to 256] (default 8)
    latent_dim: int
    # number of item clusters [1 to 1000000] (default 24)
    clusters: int
    # exponent of the power law of cluster sizes; 0 for equal sizes [0 to 4] (default 0.7)
    cluster_exponent: float
    # spread of the tightest cluster, in units of the width of a taste [0 to 4] (default 0.2)
    spread_min: float
    # spread of the loosest cluster [0 to 4] (default 0.8)
    spread_max: float
    # exponent of the power law of item popularity; 0 for equal popularity [0 to 4] (default 1.2)
    popularity_exponent: float
    # share of the items over which the popularity curve is flat [1e-09 to 1000000000] (default
    # 0.02)
    popularity_head: float
    # maximal number of tastes per user [1 to 64] (default 4)
    tastes: int
    # share of interactions that depend on popularity only, not on taste [1e-06 to 1] (default 0.05)
    background: float
    # affinity from which a user truly likes an item; a favourite has 1 [0 to 1] (default 0.1)
    liked_level: float
    # minimal number of pairs per user [1 to 2000000000] (default 8)
    minimum_degree: int
    # largest share of all items that a user may have [0 to 1] (default 0.5)
    maximum_share: float
    # exponent of the power law of user activity; 0 for equal activity [0 to 4] (default 0.6)
    activity_exponent: float
    # share of the users over which the activity curve is flat [1e-09 to 1000000000] (default 0.01)
    activity_head: float
    # seed of all random choices (default 1)
    seed: int
    # how pairs are divided into train, valid and test (default random)
    split: Literal["random", "per-user", "leave-one-out", "temporal", "temporal-per-user"]
    # shares of train, valid and test [0 to 1] (default 0.7,0.1,0.2)
    ratios: Sequence[float]


class CompareOptions(RunOptions, total=False):
    """Options of a comparison."""

    # folder of runs to share with other studies (default: runs in --out)
    runs: str
    # recommenders to train (default mf)
    model: Sequence[str] | str
    # the first seed (default 1)
    seed: int
    # number of runs at the same time; they share the threads [1 to 1024] (default 1)
    jobs: int
    # number of seconds between two checkpoints [at least 0] (default 30)
    checkpoint_seconds: float
    # models that are fitted, not trained by sampling
    baselines: Sequence[str] | str
    # start from the paper's hyper-parameters for this dataset: amazon-beauty, ml-1m, pinterest,
    # yelp-2022
    paper: str
    # number of seeds per row: --seed and those that follow it [1 to 1000] (default 5)
    seeds: int
    # metrics to show and test; the files hold all of them (default
    # recall@10,ndcg@10,recall@20,ndcg@20)
    metrics: Sequence[str] | str
    # cutoffs of the metrics [1 to 1000000] (default 10,20,50)
    topk: Sequence[int]
    # number of bootstrap resamples of the users [100 to 1000000] (default 2000)
    resamples: int
    # label to test against every other one (default: divns, or else the first)
    reference: str


class TuneOptions(RunOptions, total=False):
    """Options of a tuning."""

    # folder of runs to share with other studies (default: runs in --out)
    runs: str
    # recommenders to train (default mf)
    model: Sequence[str] | str
    # the first seed (default 1)
    seed: int
    # number of runs at the same time; they share the threads [1 to 1024] (default 1)
    jobs: int
    # number of seconds between two checkpoints [at least 0] (default 30)
    checkpoint_seconds: float
    # models that are fitted, not trained by sampling
    baselines: Sequence[str] | str
    # number of settings to try for each sampler [1 to 100000] (default 27)
    trials: int
    # epochs after which the best trials continue; validations come after 6, 11, 16, ... epochs [at
    # least 1] (default 11,31,91)
    rungs: Sequence[int]
    # share of the trials that continues from rung to rung [0.01 to 1] (default 0.3333333333333333)
    keep: float
    # the ranges that options declare, or the paper's grid [declared | paper] (default declared)
    grid: str
    # options that keep their value although they declare a range (default
    # embedding_dim,lightgcn.layers,negatives,l2_user,l2_positive)
    fix: Sequence[str] | str


class AblateOptions(RunOptions, total=False):
    """Options of an ablation."""

    # folder of runs to share with other studies (default: runs in --out)
    runs: str
    # recommenders to train (default mf)
    model: Sequence[str] | str
    # the first seed (default 1)
    seed: int
    # number of runs at the same time; they share the threads [1 to 1024] (default 1)
    jobs: int
    # number of seconds between two checkpoints [at least 0] (default 30)
    checkpoint_seconds: float
    # sampler whose options are varied (default divns)
    sampler: str
    # what to vary, one at a time: lambda, m, n, module, draw, combine, normalisation, rank,
    # penalty, timing, shortage; or any option with its values, as in l2=1e-4/1e-2/1 (default
    # lambda,m,n,module)
    axis: Sequence[str] | str
    # start from the paper's hyper-parameters for this dataset: amazon-beauty, ml-1m, pinterest,
    # yelp-2022
    paper: str
    # number of seeds per row: --seed and those that follow it [1 to 1000] (default 5)
    seeds: int
    # metrics to show and test; the files hold all of them (default
    # recall@10,ndcg@10,recall@20,ndcg@20)
    metrics: Sequence[str] | str
    # cutoffs of the metrics [1 to 1000000] (default 10,20,50)
    topk: Sequence[int]
    # number of bootstrap resamples of the users [100 to 1000000] (default 2000)
    resamples: int


class DppOptions(TypedDict, total=False):
    """Options of the k-DPP."""

    # value added to the diagonal of the kernel [above 0] (default 1e-06)
    jitter: float
    # what to do when k exceeds the rank of the kernel: continue with the jitter, start again with
    # the remaining items, or return fewer items (default jitter)
    rank_policy: Literal["jitter", "rounds", "stop"]
    # greedy algorithm; all of them choose the same items (default auto)
    algorithm: Literal["auto", "updates", "lazy", "cholesky"]
    # scale every vector to unit length first (default true)
    normalize: bool

// SPDX-License-Identifier: Apache-2.0
// What the authors of DENS and AHNS printed while their programs ran, on the splits they published.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace divns::testing {

struct PublishedPoint {
  uint32_t epoch;
  double loss;          // the sum over the batches of the epoch
  double recall, ndcg;  // at 20, on the test part
};

struct PublishedRun {
  std::string name;
  std::string split;
  uint32_t users, items;
  int seed;
  int candidates;
  std::string begin;  // what PyTorch drew before the parameters, as chance.py calls it
  // Up to this epoch every printed digit is met. Later, or from the beginning where it is -1, some
  // row had two candidates whose scores differ by less than float32 can tell, theirs was the other
  // one, and the runs part: by little.
  int exact_to;
  std::vector<std::string> options;
  std::vector<PublishedPoint> points;
};

inline const std::vector<PublishedRun> kPublishedRuns = {
    {"rns_on_baby",
     "dens-baby",
     4314,
     5854,
     2020,
     1,
     "gates",
     50,
     {"model=lightgcn", "sampler=rns", "drop_last=true"},
     {{0, 10.388914108276367, 0.00986985, 0.00410032},
      {5, 9.573041915893555, 0.03079801, 0.01442026},
      {10, 7.26429557800293, 0.03365521, 0.01581372},
      {15, 6.023150444030762, 0.03410485, 0.01616867},
      {20, 5.385154724121094, 0.03507469, 0.01643776},
      {30, 4.510379791259766, 0.03427268, 0.01595836},
      {50, 3.0496327877044678, 0.03388833, 0.01585054}}},
    {"rns_on_beauty",
     "dens-beauty",
     7670,
     10887,
     2020,
     1,
     "gates",
     50,
     {"model=lightgcn", "sampler=rns", "drop_last=true"},
     {{0, 21.4107723236084, 0.01504579, 0.00814599},
      {5, 13.707481384277344, 0.01621652, 0.00836000},
      {10, 10.863462448120117, 0.02157468, 0.01157444},
      {20, 7.052330493927002, 0.03012358, 0.01642723},
      {30, 4.891352653503418, 0.03277441, 0.01811452},
      {50, 2.712573528289795, 0.03479958, 0.01929600}}},
    {"dns_on_baby",
     "dens-baby",
     4314,
     5854,
     2020,
     2,
     "gates",
     15,
     {"model=lightgcn", "sampler=dns", "dns.candidates=2", "drop_last=true"},
     {{0, 10.390979766845703, 0.01053846, 0.00452500},
      {5, 9.861795425415039, 0.03053050, 0.01470587},
      {15, 7.325165748596191, 0.03460335, 0.01614731}}},
    {"dns_on_beauty",
     "dens-beauty",
     7670,
     10887,
     2020,
     6,
     "gates",
     40,
     {"model=lightgcn", "sampler=dns", "dns.candidates=6", "drop_last=true"},
     {{0, 21.44581413269043, 0.01625443, 0.00912016},
      {5, 16.924373626708984, 0.03041206, 0.01680245},
      {20, 10.530121803283691, 0.03963352, 0.02167274},
      {40, 5.681119441986084, 0.04182222, 0.02261953}}},
    {"mixgcf_on_baby",
     "dens-baby",
     4314,
     5854,
     2020,
     2,
     "gates",
     25,
     {"model=lightgcn", "sampler=mixgcf", "mixgcf.candidates=2", "drop_last=true"},
     {{0, 10.394537925720215, 0.00994194, 0.00426819},
      {5, 10.148323059082031, 0.02933238, 0.01406152},
      {25, 7.195528030395508, 0.03540820, 0.01629012}}},
    {"mixgcf_on_beauty",
     "dens-beauty",
     7670,
     10887,
     2020,
     6,
     "gates",
     -1,
     {"model=lightgcn", "sampler=mixgcf", "mixgcf.candidates=6", "drop_last=true"},
     {{0, 21.470144271850586, 0.01511968, 0.00855884},
      {5, 18.20537567138672, 0.02851771, 0.01558921},
      {20, 13.579130172729492, 0.03909462, 0.02109729},
      {70, 5.711508750915527, 0.04204441, 0.02281942}}},
    {"dens_on_baby",
     "dens-baby",
     4314,
     5854,
     2020,
     2,
     "gates",
     55,
     {"model=lightgcn", "sampler=dens", "dens.candidates=2", "dens.gamma=1", "drop_last=true"},
     {{0, 20.788158416748047, 0.01045862, 0.00441855},
      {5, 19.88845443725586, 0.03079483, 0.01461219},
      {20, 9.63164234161377, 0.03732157, 0.01763891},
      {55, 5.8733673095703125, 0.03899206, 0.01844952}}},
    {"dens_on_beauty",
     "dens-beauty",
     7670,
     10887,
     2020,
     6,
     "gates",
     20,
     {"model=lightgcn", "sampler=dens", "dens.candidates=6", "dens.gamma=0.3", "drop_last=true"},
     {{0, 27.892154693603516, 0.01665590, 0.00925640},
      {5, 21.91936492919922, 0.02978598, 0.01638697},
      {20, 12.659245491027832, 0.03880175, 0.02142993},
      {70, 3.3004939556121826, 0.04402626, 0.02344910}}},
    {"ahns_on_tool",
     "ahns-tool",
     16638,
     10217,
     2022,
     32,
     "nothing",
     -1,
     {"model=mf", "sampler=ahns", "ahns.candidates=32", "drop_last=true"},
     {{0, 36.10245895385742, 0.00262118, 0.00108184},
      {5, 35.56949234008789, 0.05001646, 0.02646827},
      {10, 32.83380126953125, 0.06095600, 0.03303015},
      {25, 12.374791145324707, 0.07309073, 0.04009611}}},
};

}  // namespace divns::testing

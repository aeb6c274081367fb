// SPDX-License-Identifier: Apache-2.0
#include "samplers/scone/network.h"

#include <algorithm>
#include <cmath>

namespace divns {
namespace {

// out (+)= a b
void multiply(MatrixView a, MatrixView b, Table& out, bool add = false) {
  gemm(a, b, out.data(), out.stride(), add);
}

Table product(MatrixView a, MatrixView b) {
  Table out(static_cast<uint32_t>(a.rows), static_cast<uint32_t>(b.columns));
  multiply(a, b, out);
  return out;
}

void add_row(const Table& row, Table& to) {
  axpy(1, row.data(), to.data(), to.stride());
}

// W x + b for a row x.
Table image(const LinearLayer& layer, const Table& x) {
  Table out = product(matrix(x), matrix(layer.weight).transposed());
  add_row(layer.bias, out);
  return out;
}

// The columns of decoder1 that read the output of bottom.
MatrixView right_half(const Table& table) {
  return matrix(table).part(0, table.rows(), table.dim() / 2, table.dim() / 2);
}

// decoder1 [skip, bottom skip] = G skip + const, with G = left + right bottom.
Table after_skip(const LinearLayer& decoder1, const LinearLayer& bottom) {
  Table g(decoder1.out(), decoder1.in() / 2);
  for (uint32_t i = 0; i < g.rows(); ++i) std::copy_n(decoder1.weight.row(i), g.dim(), g.row(i));
  multiply(right_half(decoder1.weight), matrix(bottom.weight), g, true);
  return g;
}

}  // namespace

SconeNetwork::SconeNetwork(uint32_t dim, uint32_t inner, uint32_t hidden, uint64_t seed)
    : time1_(dim, kTimeWidths * dim),
      time2_(kTimeWidths * dim, kTimeWidths * dim),
      input_(dim, inner),
      encoder1_(inner, hidden),
      encoder_time_(kTimeWidths * dim, hidden),
      encoder2_(hidden, hidden),
      bottom_(hidden, hidden),
      decoder1_(2 * hidden, hidden),
      decoder_time_(kTimeWidths * dim, hidden),
      decoder2_(hidden, inner),
      output_(inner, dim) {
  const Random random(seed, "scone.network");
  uint32_t number = 0;
  for (const auto& [name, layer] : layers()) {
    const Draws draws = random.draws(number++);
    if (layer == &time1_ || layer == &time2_) {
      // Uniform with variance 2 / (in + out), as usual for diffusion models.
      layer->initialise(draws, std::sqrt(6.0 / (layer->in() + layer->out())), 0);
    } else {
      layer->initialise(draws);
    }
  }
}

std::vector<std::pair<const char*, LinearLayer*>> SconeNetwork::layers() {
  return {{"time1", &time1_},
          {"time2", &time2_},
          {"input", &input_},
          {"encoder1", &encoder1_},
          {"encoder_time", &encoder_time_},
          {"encoder2", &encoder2_},
          {"bottom", &bottom_},
          {"decoder1", &decoder1_},
          {"decoder_time", &decoder_time_},
          {"decoder2", &decoder2_},
          {"output", &output_}};
}

std::vector<SamplerParameters> SconeNetwork::parameters(double learning_rate) {
  std::vector<SamplerParameters> list;
  for (const auto& [name, layer] : layers()) layer->list_parameters(name, learning_rate, list);
  return list;
}

// With tau = T2 time + t2, encoder_time = Q1, q1 and decoder_time = Q2, q2:
//   A = encoder1 input,       a = encoder1(bias of input)
//   B = G encoder2,           D = B Q1 T2,    b = B (Q1 t2 + q1) + G n2 + right m + r
//   C = output decoder2,      E = C Q2 T2,    c = C (Q2 t2 + q2) + output(bias of decoder2)
// where n2, m, r are the biases of encoder2, bottom and decoder1.
void SconeNetwork::fold(ScoreFunction& f) const {
  f.time.weight = time1_.weight;
  f.time.bias = time1_.bias;
  multiply(matrix(encoder1_.weight), matrix(input_.weight), f.first.weight);
  f.first.bias = image(encoder1_, input_.bias);

  const Table g = after_skip(decoder1_, bottom_);
  multiply(matrix(g), matrix(encoder2_.weight), f.second.weight);
  const Table encoder_tau = product(matrix(encoder_time_.weight), matrix(time2_.weight));
  multiply(matrix(f.second.weight), matrix(encoder_tau), f.second_time.weight);
  f.second.bias = decoder1_.bias;
  multiply(matrix(image(encoder_time_, time2_.bias)), matrix(f.second.weight).transposed(),
           f.second.bias, true);
  multiply(matrix(encoder2_.bias), matrix(g).transposed(), f.second.bias, true);
  multiply(matrix(bottom_.bias), right_half(decoder1_.weight).transposed(), f.second.bias, true);

  multiply(matrix(output_.weight), matrix(decoder2_.weight), f.score.weight);
  const Table decoder_tau = product(matrix(decoder_time_.weight), matrix(time2_.weight));
  multiply(matrix(f.score.weight), matrix(decoder_tau), f.score_time.weight);
  f.score.bias = image(output_, decoder2_.bias);
  multiply(matrix(image(decoder_time_, time2_.bias)), matrix(f.score.weight).transposed(),
           f.score.bias, true);
}

// The same formulas backwards: for P = X Y, dX = dP Y^T and dY = X^T dP.
double SconeNetwork::unfold_gradients(const ScoreFunction& f, double clip) {
  const auto t = [](const Table& table) { return matrix(table).transposed(); };
  time1_.weight_gradient = f.time.weight_gradient;
  time1_.bias_gradient = f.time.bias_gradient;

  const Table& da = f.first.bias_gradient;
  multiply(matrix(f.first.weight_gradient), t(input_.weight), encoder1_.weight_gradient);
  multiply(t(da), matrix(input_.bias), encoder1_.weight_gradient, true);
  encoder1_.bias_gradient = da;
  multiply(t(encoder1_.weight), matrix(f.first.weight_gradient), input_.weight_gradient);
  multiply(matrix(da), matrix(encoder1_.weight), input_.bias_gradient);

  // The part through tau of a folded weight W with gradients dW, db and the gradient dWT of W Q T2:
  // writes the gradient of Q, writes or adds that of T2, and adds their contribution to dW.
  const auto unfold_tau = [&](const LinearLayer& folded, const LinearLayer& folded_time,
                              LinearLayer& q, bool add) {
    const Table& db = folded.bias_gradient;
    const Table& dt = folded_time.weight_gradient;
    const Table tau = product(matrix(q.weight), matrix(time2_.weight));
    Table dw = folded.weight_gradient;
    multiply(matrix(dt), t(tau), dw, true);
    multiply(t(db), matrix(image(q, time2_.bias)), dw, true);
    const Table dtau = product(t(folded.weight), matrix(dt));
    multiply(matrix(db), matrix(folded.weight), q.bias_gradient);
    multiply(matrix(dtau), t(time2_.weight), q.weight_gradient);
    multiply(t(q.bias_gradient), matrix(time2_.bias), q.weight_gradient, true);
    multiply(t(q.weight), matrix(dtau), time2_.weight_gradient, add);
    multiply(matrix(q.bias_gradient), matrix(q.weight), time2_.bias_gradient, add);
    return dw;
  };

  const Table& db = f.second.bias_gradient;
  const Table d_second = unfold_tau(f.second, f.second_time, encoder_time_, false);
  const Table g = after_skip(decoder1_, bottom_);
  multiply(t(g), matrix(d_second), encoder2_.weight_gradient);
  multiply(matrix(db), matrix(g), encoder2_.bias_gradient);
  Table dg = product(matrix(d_second), t(encoder2_.weight));
  multiply(t(db), matrix(encoder2_.bias), dg, true);
  Table& dr = decoder1_.weight_gradient;
  for (uint32_t i = 0; i < dg.rows(); ++i) std::copy_n(dg.row(i), dg.dim(), dr.row(i));
  gemm(matrix(dg), t(bottom_.weight), dr.data() + dg.dim(), dr.stride());
  gemm(t(db), matrix(bottom_.bias), dr.data() + dg.dim(), dr.stride(), true);
  decoder1_.bias_gradient = db;
  multiply(right_half(decoder1_.weight).transposed(), matrix(dg), bottom_.weight_gradient);
  multiply(matrix(db), right_half(decoder1_.weight), bottom_.bias_gradient);

  const Table& dc = f.score.bias_gradient;
  const Table d_score = unfold_tau(f.score, f.score_time, decoder_time_, true);
  multiply(matrix(d_score), t(decoder2_.weight), output_.weight_gradient);
  multiply(t(dc), matrix(decoder2_.bias), output_.weight_gradient, true);
  output_.bias_gradient = dc;
  multiply(t(output_.weight), matrix(d_score), decoder2_.weight_gradient);
  multiply(matrix(dc), matrix(output_.weight), decoder2_.bias_gradient);

  double squares = 0;
  for (const auto& [name, layer] : layers())
    for (const Table* table : {&layer->weight_gradient, &layer->bias_gradient})
      for (size_t i = 0; i < table->size(); ++i)
        squares += double{table->data()[i]} * double{table->data()[i]};
  const double norm = std::sqrt(squares);
  const double factor = clip / (norm + 1e-6);
  if (clip > 0 && factor < 1)
    for (const auto& [name, layer] : layers())
      for (Table* table : {&layer->weight_gradient, &layer->bias_gradient})
        for (size_t i = 0; i < table->size(); ++i) table->data()[i] *= static_cast<float>(factor);
  return norm;
}

}  // namespace divns

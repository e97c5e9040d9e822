/**
 * A directly lit frame as the project's integrator means it without ambient rays: one camera ray per pixel, a shadow ray
 * to the sun where the surface faces it, Lambert with interpolated normals, the sky's light by the normal's elevation,
 * filmic tone curve, sRGB. Written as one would write it on Embree: floats, single rays, 8×8 pixel blocks (their rays go
 * through the same nodes), an estimate for sRGB that is right but for a step or two.
 */
#pragma once
#include <embree3/rtcore.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "mesh.h"
#include "rays.h"

struct Vec {
  float x, y, z;
};
inline Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec operator*(Vec a, float s) { return {a.x * s, a.y * s, a.z * s}; }
inline Vec operator*(Vec a, Vec b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
inline float dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec unit(Vec a) { return a * (1 / std::sqrt(dot(a, a))); }

struct FrameSettings {
  unsigned width, height;
  Vec origin, right, up, back;
  float tanHalfX, tanHalfY, near, far, exposure;
  Vec color, zenith, horizon, ground, sun, irradiance;

  explicit FrameSettings(std::istream& words) {
    words >> width >> height;
    for (Vec* v : {&origin, &right, &up, &back}) words >> v->x >> v->y >> v->z;
    words >> tanHalfX >> tanHalfY >> near >> far >> exposure;
    for (Vec* v : {&color, &zenith, &horizon, &ground, &sun, &irradiance}) words >> v->x >> v->y >> v->z;
    if (!words) throw std::runtime_error("frame: too few numbers");
  }
};

/** Linear light to sRGB bytes: a guess by 4096 steps of light, then on to the threshold. */
class Srgb {
 public:
  Srgb() {
    for (int b = 0; b < 255; b++) {
      const double s = (b + 0.5) / 255;
      thresholds_[b] = float(s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4));
    }
    thresholds_[255] = MISS;
    for (int i = 0; i < STEPS; i++)
      guess_[i] = uint8_t(std::upper_bound(&thresholds_[0], &thresholds_[255], float(i) / STEPS) - &thresholds_[0]);
  }
  uint8_t operator()(float x) const {
    if (!(x > 0)) return 0;
    if (x >= 1) return 255;
    uint8_t byte = guess_[int(x * STEPS)];
    while (x >= thresholds_[byte]) byte++;
    return byte;
  }

 private:
  static constexpr int STEPS = 4096;
  std::array<float, 256> thresholds_;
  std::array<uint8_t, STEPS> guess_;
};

inline Vec skyOf(const FrameSettings& s, float y) {
  const float depth = std::min(1.f, -10 * y);
  const float blend = y >= 0 ? y * (2 - y) : depth * depth * (3 - 2 * depth);
  return s.horizon + ((y >= 0 ? s.zenith : s.ground) - s.horizon) * blend;
}

/** Sky, and the sun as a glow: cosine^256 about its direction. */
inline Vec surroundingsOf(const FrameSettings& s, Vec d) {
  float glow = std::max(0.f, dot(d, s.sun));
  for (int power = 1; power < 256; power *= 2) glow *= glow;
  return skyOf(s, d.y) + s.irradiance * (glow * float(257 / (2 * M_PI)));
}

inline float filmic(float x) { return (x * (x + 0.0245786f) - 0.000090537f) / (x * (0.983729f * x + 0.432951f) + 0.238081f); }

inline void writePixel(const Srgb& srgb, Vec light, float exposure, uint8_t* out) {
  const Vec l = light * (exposure / 0.6f);
  const float r = filmic(0.59719f * l.x + 0.35458f * l.y + 0.04823f * l.z);
  const float g = filmic(0.076f * l.x + 0.90834f * l.y + 0.01566f * l.z);
  const float b = filmic(0.0284f * l.x + 0.13383f * l.y + 0.83777f * l.z);
  out[0] = srgb(1.60475f * r - 0.53108f * g - 0.07367f * b);
  out[1] = srgb(-0.10208f * r + 1.10813f * g - 0.00605f * b);
  out[2] = srgb(-0.00327f * r - 0.07276f * g + 1.07602f * b);
}

/** Light that the surface met by `query` sends back. */
inline Vec shade(RTCScene scene, RTCIntersectContext& context, const Mesh& mesh, const FrameSettings& s,
                 const RTCRayHit& query, Vec d, float reach) {
  const uint32_t* corner = &mesh.indices[query.hit.primID * 3];
  const auto at = [](const std::vector<float>& values, uint32_t i) {
    return Vec{values[i * 3], values[i * 3 + 1], values[i * 3 + 2]};
  };
  const Vec a = at(mesh.positions, corner[0]), b = at(mesh.positions, corner[1]), c = at(mesh.positions, corner[2]);
  const Vec na = at(mesh.normals, corner[0]), nb = at(mesh.normals, corner[1]), nc = at(mesh.normals, corner[2]);
  const float v = query.hit.u, w = query.hit.v, u = 1 - v - w;
  // Embree's normal is not normalised and points to where the corners run counter-clockwise.
  Vec g = unit({query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z});
  const float side = dot(g, d) < 0 ? 1 : -1;
  g = g * side;
  Vec n = na * u + nb * v + nc * w;
  const float length = std::sqrt(dot(n, n));
  n = length > 1e-6f ? n * ((dot(n, g) < 0 ? -1 : 1) / length) : g;
  const float facing = -dot(n, d);
  if (facing < 1 / 1024.f) n = unit(n + d * (facing - 1 / 1024.f));

  Vec light = skyOf(s, n.y);
  const float cosine = dot(n, s.sun);
  if (cosine > 0) {
    const Vec p = s.origin + d * (query.ray.tfar * reach);
    // Hanika's lift onto the corners' tangent planes, bounded as in the kernel's lift.ts, and a little off the triangle.
    const auto lift = [&](float weight, Vec corner, Vec normal) {
      const float height = dot(p - corner, normal);
      return normal * (height * side < 0 ? -height * weight : 0.f);
    };
    const float size = std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)});
    const Vec lifted = lift(u, a, na) + lift(v, b, nb) + lift(w, c, nc);
    const float leastCosine = side * std::min({dot(na, g), dot(nb, g), dot(nc, g)});
    const auto square = [](Vec e) { return dot(e, e); };
    const float edge = std::max({square(a - b), square(b - c), square(c - a)});
    const float rise = edge * std::max(0.f, 1 - leastCosine) / (3 * (1 + leastCosine));
    const float smooth = std::clamp((leastCosine - 0.70710678f) / (0.80901699f - 0.70710678f), 0.f, 1.f);
    const float share = smooth * std::min(1.f, std::sqrt(rise / std::max(square(lifted), 1e-30f)));
    const Vec start = p + g * ((size + query.ray.tfar * reach) / 1048576) + lifted * share;
    const float row[RAY_FLOATS] = {start.x, start.y, start.z, 0, s.sun.x, s.sun.y, s.sun.z, MISS};
    RTCRay shadow = singleRay(row);
    rtcOccluded1(scene, &context, &shadow);
    if (!(shadow.tfar < 0)) light = light + s.irradiance * (cosine * float(1 / M_PI));
  }
  return light * s.color;
}

inline void traceFrame(RTCScene scene, const Mesh& mesh, const FrameSettings& s, uint8_t* pixels) {
  static const Srgb srgb;
  RTCIntersectContext context = contextOf(true);
  constexpr unsigned BLOCK = 8;
  for (unsigned top = 0; top < s.height; top += BLOCK)
    for (unsigned left = 0; left < s.width; left += BLOCK)
      for (unsigned y = top; y < std::min(top + BLOCK, s.height); y++)
        for (unsigned x = left; x < std::min(left + BLOCK, s.width); x++) {
          const float u = (2 * (x + 0.5f) / s.width - 1) * s.tanHalfX;
          const float v = (1 - 2 * (y + 0.5f) / s.height) * s.tanHalfY;
          const Vec d = s.right * u + s.up * v - s.back;
          const float reach = std::sqrt(dot(d, d));
          const float row[RAY_FLOATS] = {s.origin.x, s.origin.y, s.origin.z, s.near, d.x, d.y, d.z, s.far};
          RTCRayHit query;
          query.ray = singleRay(row);
          query.hit.geomID = query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
          rtcIntersect1(scene, &context, &query);
          const Vec toward = d * (1 / reach);
          const Vec light = query.hit.geomID == RTC_INVALID_GEOMETRY_ID
                                ? surroundingsOf(s, toward)
                                : shade(scene, context, mesh, s, query, toward, reach);
          writePixel(srgb, light, s.exposure, &pixels[(size_t(y) * s.width + x) * 3]);
        }
}

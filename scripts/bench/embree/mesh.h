/**
 * A mesh from raw files, and Embree's scenes over it: one per instruction set and build quality, each with its build time (CPU time of this
 * thread: the device has no other) and the memory it holds.
 */
#pragma once
#include <embree3/rtcore.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

inline double cpuMs() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
}

template <typename T>
std::vector<T> readFile(const std::string& path, size_t spare = 0) {
  FILE* file = fopen(path.c_str(), "rb");
  if (!file) throw std::runtime_error("cannot read " + path);
  fseek(file, 0, SEEK_END);
  std::vector<T> values(ftell(file) / sizeof(T) + spare);
  rewind(file);
  const size_t got = fread(values.data(), sizeof(T), values.size() - spare, file);
  fclose(file);
  if (got + spare != values.size()) throw std::runtime_error("cannot read all of " + path);
  return values;
}

template <typename T>
void writeFile(const std::string& path, const std::vector<T>& values) {
  FILE* file = fopen(path.c_str(), "wb");
  const bool whole = file && fwrite(values.data(), sizeof(T), values.size(), file) == values.size();
  if (!file || fclose(file) != 0 || !whole) throw std::runtime_error("cannot write " + path);
}

struct Mesh {
  std::vector<float> positions;
  std::vector<float> normals;
  std::vector<uint32_t> indices;
};

class Scenes {
 public:
  /** In use by rays and frames. */
  RTCScene scene = nullptr;

  void load(const std::string& positions, const std::string& normals, const std::string& indices) {
    // Embree reads 16 bytes at each vertex: one float more than there is.
    mesh_ = {readFile<float>(positions, 1), readFile<float>(normals), readFile<uint32_t>(indices)};
  }

  const Mesh& mesh() const { return mesh_; }

  struct Built {
    double ms;
    long bytes;
  };

  /** Static, neither robust nor compact: what Embree is fastest with. Takes the place of an earlier one. */
  Built build(const std::string& isa, const std::string& quality) {
    RTCDevice device = deviceOf(isa);
    RTCScene& built = built_[isa + quality];
    if (built) rtcReleaseScene(built);
    const long before = bytes_;
    const double start = cpuMs();
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    share(geometry, mesh_.positions);
    scene = built = rtcNewScene(device);
    rtcSetSceneBuildQuality(scene, quality == "high" ? RTC_BUILD_QUALITY_HIGH : RTC_BUILD_QUALITY_MEDIUM);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene);
    const double ms = cpuMs() - start;
    if (rtcGetDeviceError(device) != RTC_ERROR_NONE) throw std::runtime_error("Embree cannot build the scene");
    return {ms, bytes_ - before};
  }

  /**
   * Refits a scene of its own that many times, after the mesh has become half as large, then as large as before; returns the
   * median ms. Of a geometry with this quality Embree keeps the tree.
   */
  double refit(const std::string& isa, size_t times) {
    RTCDevice device = deviceOf(isa);
    std::vector<float> positions = mesh_.positions;
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetGeometryBuildQuality(geometry, RTC_BUILD_QUALITY_REFIT);
    share(geometry, positions);
    RTCScene dynamic = rtcNewScene(device);
    rtcSetSceneFlags(dynamic, RTC_SCENE_FLAG_DYNAMIC);
    rtcSetSceneBuildQuality(dynamic, RTC_BUILD_QUALITY_LOW);
    rtcAttachGeometry(dynamic, geometry);
    rtcCommitScene(dynamic);
    std::vector<double> ms;
    for (size_t i = 0; i < times; i++) {
      const float before = extent(dynamic);
      const float size = i % 2 == 0 ? 0.5f : 1.0f;
      for (size_t k = 0; k < positions.size(); k++) positions[k] = mesh_.positions[k] * size;
      const double start = cpuMs();
      rtcUpdateGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0);
      rtcCommitGeometry(geometry);
      rtcCommitScene(dynamic);
      ms.push_back(cpuMs() - start);
      if (extent(dynamic) == before) throw std::runtime_error("Embree has not refitted the scene");
    }
    rtcReleaseGeometry(geometry);
    rtcReleaseScene(dynamic);
    std::sort(ms.begin(), ms.end());
    return (ms[(times - 1) / 2] + ms[times / 2]) / 2;
  }

  void use(const std::string& isa, const std::string& quality) {
    scene = built_[isa + quality];
    if (!scene) throw std::runtime_error("no scene " + isa + " " + quality);
  }

 private:
  Mesh mesh_;
  std::map<std::string, RTCDevice> devices_;
  std::map<std::string, RTCScene> built_;
  /** What all devices hold at present. */
  long bytes_ = 0;

  /** Completes a geometry of the mesh's triangles, with these positions. */
  void share(RTCGeometry geometry, const std::vector<float>& positions) {
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, positions.data(), 0, 12,
                               positions.size() / 3);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, mesh_.indices.data(), 0, 12,
                               mesh_.indices.size() / 3);
    rtcCommitGeometry(geometry);
  }

  /** Sum of the sides of its box. */
  static float extent(RTCScene scene) {
    RTCBounds bounds;
    rtcGetSceneBounds(scene, &bounds);
    return (bounds.upper_x - bounds.lower_x) + (bounds.upper_y - bounds.lower_y) + (bounds.upper_z - bounds.lower_z);
  }

  RTCDevice deviceOf(const std::string& isa) {
    RTCDevice& device = devices_[isa];
    if (device) return device;
    // One thread, the caller's: builds are then measured like everything else.
    const std::string config = "threads=1,set_affinity=0";
    device = rtcNewDevice((isa == "default" ? config : config + ",isa=" + isa).c_str());
    if (!device) throw std::runtime_error("Embree gives no device for " + isa);
    rtcSetDeviceMemoryMonitorFunction(
        device,
        [](void* self, ssize_t bytes, bool) {
          static_cast<Scenes*>(self)->bytes_ += bytes;
          return true;
        },
        this);
    return device;
  }
};

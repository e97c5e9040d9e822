/**
 * Embree's side of `sortfirst bench kernel`: obeys commands on standard input, one a line, and answers each with one
 * line, `ok` and numbers or `error` and a reason. Times are milliseconds of CPU time of the one thread.
 *
 *     mesh <positions> <normals> <indices>             raw little-endian files: f32 xyz, f32 xyz, u32 triples
 *     build default|<isa> medium|high                  ok <ms> <bytes>; the scene is then in use
 *     use default|<isa> medium|high                    ok
 *     refit default|<isa> <times>                      ok <ms>: the median
 *     rays <name> <file>                               ok <count>; f32 origin xyz, tMin, direction xyz, tMax
 *     trace <name> closest|any single|8|16|stream coherent|incoherent   ok <ms>
 *     answers <name> <file>                            ok; writes what the newest trace found, f32 per ray
 *     frame <lights and camera: see frame.h> <file>    ok <ms>; writes RGB8
 */
#include <pmmintrin.h>

#include <iostream>
#include <sstream>

#include "frame.h"
#include "mesh.h"
#include "rays.h"

static std::string obey(Scenes& scenes, std::map<std::string, RaySet>& sets, std::istringstream& words) {
  std::string command, name, file;
  std::ostringstream answer;
  answer.precision(9);
  words >> command;
  if (command == "mesh") {
    std::string positions, normals, indices;
    words >> positions >> normals >> indices;
    scenes.load(positions, normals, indices);
  } else if (command == "build") {
    std::string isa, quality;
    words >> isa >> quality;
    const auto built = scenes.build(isa, quality);
    answer << ' ' << built.ms << ' ' << built.bytes;
  } else if (command == "use") {
    std::string isa, quality;
    words >> isa >> quality;
    scenes.use(isa, quality);
  } else if (command == "refit") {
    std::string isa;
    size_t times;
    words >> isa >> times;
    answer << ' ' << scenes.refit(isa, times);
  } else if (command == "rays") {
    words >> name >> file;
    sets[name] = RaySet(file);
    answer << ' ' << sets[name].count;
  } else if (command == "trace") {
    std::string hit, way, order;
    words >> name >> hit >> way >> order;
    RaySet& set = sets.at(name);
    const bool anyHit = hit == "any", coherent = order == "coherent";
    const double start = cpuMs();
    if (way == "16")
      tracePackets<Packet16>(scenes.scene, set, anyHit, coherent);
    else if (way == "8")
      tracePackets<Packet8>(scenes.scene, set, anyHit, coherent);
    else if (way == "stream")
      traceStream(scenes.scene, set, anyHit, coherent);
    else
      traceSingle(scenes.scene, set, anyHit, coherent);
    answer << ' ' << cpuMs() - start;
  } else if (command == "answers") {
    words >> name >> file;
    const RaySet& set = sets.at(name);
    writeFile(file, std::vector<float>(set.answers.begin(), set.answers.begin() + set.count));
  } else if (command == "frame") {
    FrameSettings settings(words);
    words >> file;
    std::vector<uint8_t> pixels(size_t(settings.width) * settings.height * 3);
    const double start = cpuMs();
    traceFrame(scenes.scene, scenes.mesh(), settings, pixels.data());
    answer << ' ' << cpuMs() - start;
    writeFile(file, pixels);
  } else {
    throw std::runtime_error("unknown command " + command);
  }
  return answer.str();
}

int main() {
  // As Embree's manual advises: denormals cost time and mean nothing.
  _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
  _MM_SET_DENORMALS_ZERO_MODE(_MM_DENORMALS_ZERO_ON);
  Scenes scenes;
  std::map<std::string, RaySet> sets;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    try {
      const std::string answer = obey(scenes, sets, words);
      std::cout << "ok" << answer << std::endl;
    } catch (const std::exception& error) {
      std::cout << "error " << error.what() << std::endl;
    }
  }
}

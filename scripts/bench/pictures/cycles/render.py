"""Renders with Blender's Cycles what the path tracers of `sortfirst bench pictures` render.

    blender -b --factory-startup -P render.py          (Blender 3.4; one thread; CPU)

Reads the paths of jobs from standard input, one a line, and answers each on file descriptor 3: `ok` with the CPU and the wall time of
path tracing in seconds, or `error` with a reason; an empty line with `ok`. Ends when its input ends, in the middle of a rendering if need be.
`scene-files.ts` says what is in a job and in a scene; `materials.py` how materials and surroundings are built from nodes.

Blender's up is +z: a vector (x, y, z) of ours is (x, -z, y) there.
"""

import json
import math
import os
import queue
import re
import sys
import threading
import time

import bpy
import mathutils
import numpy

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from imported import import_file  # noqa: E402
from materials import build_material, build_world, cone_share, even_disc  # noqa: E402

MILLIMETRES = 1000
# How much brighter the edge of a sun may be than its middle.
UNEVEN = 0.01


def turned(v):
    return (v[0], -v[2], v[1])


def turned_rows(rows):
    return numpy.column_stack((rows[:, 0], -rows[:, 2], rows[:, 1]))


def floats(folder, name, width):
    return numpy.fromfile(os.path.join(folder, name), dtype='<f4').reshape(-1, width)


def matrix_of(x, y, z, origin):
    """Of the object whose axes and origin are these vectors of ours."""
    columns = [turned(axis) for axis in (x, y, z)] + [turned(origin)]
    return mathutils.Matrix([[column[row] for column in columns] for row in range(3)] + [[0, 0, 0, 1]])


def looking(direction, origin=(0, 0, 0)):
    """Of a light that shines along `direction`: Blender's shine along -z."""
    z = mathutils.Vector(direction).normalized() * -1
    x = z.orthogonal().normalized()
    return matrix_of(x, z.cross(x), z, origin)


def build_mesh(folder, scene):
    """All triangles. Those with a shading normal of their own are smooth, with custom normals at their corners."""
    vertices = turned_rows(floats(folder, 'vertices', 3))
    corners = numpy.fromfile(os.path.join(folder, 'corners'), dtype='<u4')
    count = len(corners) // 3
    mesh = bpy.data.meshes.new('scene')
    mesh.vertices.add(len(vertices))
    mesh.vertices.foreach_set('co', vertices.ravel())
    mesh.loops.add(len(corners))
    mesh.loops.foreach_set('vertex_index', corners)
    mesh.polygons.add(count)
    mesh.polygons.foreach_set('loop_start', numpy.arange(0, 3 * count, 3))
    mesh.polygons.foreach_set('loop_total', numpy.full(count, 3))
    mesh.polygons.foreach_set('material_index', numpy.fromfile(os.path.join(folder, 'material-ids'), dtype='<u2'))
    for material in scene['materials']:
        mesh.materials.append(build_material(material))
    # A normal of 0 is that of a flat triangle.
    normals = turned_rows(floats(folder, 'normals', 3))
    smooth = numpy.any(normals[corners[::3]] != 0, axis=1)
    mesh.polygons.foreach_set('use_smooth', smooth)
    mesh.update(calc_edges=True)
    if smooth.any():
        mesh.use_auto_smooth = True
        mesh.auto_smooth_angle = math.pi
        mesh.normals_split_custom_set(normals[corners].tolist())
    thing = bpy.data.objects.new('scene', mesh)
    # Both move shadow rays away from smooth surfaces.
    thing.cycles.shadow_terminator_offset = 0
    thing.cycles.shadow_terminator_geometry_offset = 0
    bpy.context.scene.collection.objects.link(thing)


def build_light(light):
    kind = {'distant': 'SUN', 'rectangle': 'AREA', 'point': 'POINT', 'spot': 'POINT'}[light['kind']]
    lamp = bpy.data.lights.new(light['kind'], kind)
    if kind == 'SUN':
        # The sun is a disc at distance 1, at right angles to the middle of its light. Its radiance is strength / (π tan² a cos³ θ) at
        # the angle θ from the middle; ours is irradiance / (π sin² a) everywhere. Of a small one, the irradiance is made equal.
        half = light['angle'] * math.pi
        cosine = math.cos(half)
        lamp.angle = 2 * half
        level, scale = light['irradiance'], (1 + cosine) / (2 * cosine)
        matrix = looking([-x for x in light['direction']])
        if 1 - cosine**3 > UNEVEN:
            scale = 1 / cosine**2
            even_disc(lamp, turned([-x for x in light['direction']]))
    elif kind == 'AREA':
        across, up = (mathutils.Vector(light[side]) for side in ('across', 'up'))
        lamp.shape = 'RECTANGLE'
        lamp.size, lamp.size_y = 2 * across.length, 2 * up.length
        # Of P watts, the radiance is P / (4 · area).
        level, scale = light['radiance'], 4 * lamp.size * lamp.size_y
        # It shines along its -z; `across` × `up` is where ours shines.
        x, y = across.normalized(), up.normalized() * -1
        matrix = matrix_of(x, y, x.cross(y), light['position'])
    else:
        # A disc that faces whatever it shines on, not a sphere: at the distance d, it gives d² / (d² + r²) of a sphere's light.
        lamp.shadow_soft_size = light['radius']
        level, scale = light['intensity'], 4 * math.pi
        matrix = looking(light.get('direction', (0, 0, -1)), light['position'])
        # Blender's own cone falls off by another law.
        if light['kind'] == 'spot':
            cone_share(lamp, turned(light['direction']), light['innerCosine'], light['outerCosine'])
    most = max(max(level), 1e-30)
    lamp.energy = most * scale
    lamp.color = [each / most for each in level]
    thing = bpy.data.objects.new(light['kind'], lamp)
    thing.matrix_world = matrix
    thing.visible_camera = False
    bpy.context.scene.collection.objects.link(thing)


def build_scene(folder):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with open(os.path.join(folder, 'scene.json'), encoding='utf-8') as file:
        scene = json.load(file)
    if 'file' in scene:
        import_file(scene['file'], scene['diffuse'])
    elif os.path.getsize(os.path.join(folder, 'corners')) > 0:
        build_mesh(folder, scene)
    for light in scene['lights']:
        build_light(light)
    build_world(scene['environment'], os.path.join(folder, 'texels'))


def set_camera(view):
    camera, (width, height) = view['camera'], view['size']
    render = bpy.context.scene.render
    render.resolution_x, render.resolution_y, render.resolution_percentage = width, height, 100
    # The sides of a pixel, for tangents that do not fit the size. At least 1 each.
    aspect = camera['tanHalfX'] / width / (camera['tanHalfY'] / height)
    render.pixel_aspect_x, render.pixel_aspect_y = max(1, aspect), max(1, 1 / aspect)
    for old in list(bpy.data.cameras):
        bpy.data.cameras.remove(old)
    data = bpy.data.cameras.new('camera')
    data.sensor_fit = 'HORIZONTAL'
    data.clip_start, data.clip_end = camera['near'], camera['far']
    if camera.get('orthographic'):
        data.type = 'ORTHO'
        data.ortho_scale = 2 * camera['tanHalfX']
    else:
        data.sensor_width = 36
        data.lens = data.sensor_width / 2 / camera['tanHalfX']
    lens = camera.get('lens')
    data.dof.use_dof = lens is not None
    if lens:
        data.dof.focus_distance = lens['focus']
        focal = 1 if camera.get('orthographic') else data.lens / MILLIMETRES
        data.dof.aperture_fstop = focal / (2 * lens['radius'])
        data.dof.aperture_blades = lens.get('blades', 0)
        # Without rotation, the middle of a side is to the right.
        half_side = 0.5 / lens['blades'] if 'blades' in lens else 0
        data.dof.aperture_rotation = 2 * math.pi * (lens.get('rotation', 0) + half_side)
    thing = bpy.data.objects.new('camera', data)
    thing.matrix_world = matrix_of(camera['right'], camera['up'], camera['back'], camera['origin'])
    bpy.context.scene.collection.objects.link(thing)
    bpy.context.scene.camera = thing


def set_quality(view, seed):
    """Everything that makes Cycles faster at the price of another picture is off."""
    scene, quality = bpy.context.scene, view['quality']
    scene.render.engine = 'CYCLES'
    scene.render.threads_mode, scene.render.threads = 'FIXED', 1
    cycles = scene.cycles
    cycles.device = 'CPU'
    # Its default. Sobol-Burley takes as long to the same error: 1.13, 0.97 and 0.96 times in the three measured scenes.
    cycles.sampling_pattern = 'PROGRESSIVE_MULTI_JITTER'
    cycles.samples, cycles.seed = quality['samples'], seed
    cycles.use_adaptive_sampling = False
    cycles.use_denoising = False
    cycles.use_auto_tile = False
    cycles.use_guiding = False
    cycles.use_fast_gi = False
    cycles.auto_scrambling_distance = False
    bounces = quality['bounces']
    cycles.max_bounces = cycles.diffuse_bounces = cycles.glossy_bounces = cycles.transmission_bounces = bounces
    cycles.volume_bounces = 0
    # Lights that a ray passes count, too.
    cycles.transparent_max_bounces = 1024
    cycles.sample_clamp_direct = cycles.sample_clamp_indirect = 0
    cycles.light_sampling_threshold = 0
    cycles.caustics_reflective = cycles.caustics_refractive = True
    cycles.blur_glossy = 0
    # The standard deviation of Cycles' gaussian is a quarter of its width. It ends at 6 of them, ours at 3.
    gaussian = quality.get('filter') == 'gaussian'
    cycles.pixel_filter_type, cycles.filter_width = ('GAUSSIAN', 2) if gaussian else ('BOX', 1)


def set_output(path):
    scene = bpy.context.scene
    scene.view_settings.view_transform = 'Raw'
    scene.render.film_transparent = False
    scene.render.use_compositing = scene.render.use_sequencer = False
    scene.render.filepath = path
    scene.render.use_file_extension = False
    image = scene.render.image_settings
    image.file_format, image.color_mode, image.color_depth, image.exr_codec = 'OPEN_EXR', 'RGB', '32', 'NONE'


class Stopwatch:
    """
    CPU and wall time between two of Blender's lines, `Sample 0/n`, when scene and tree are built, and `Sample n/n`, when the last
    sample is in the picture. Blender prints a line, and then calls a handler in the thread that renders; the line itself is not among
    the handler's arguments, but standard output is a pipe whose other end is here.
    """

    def __init__(self):
        self.end, writing = os.pipe()
        os.set_blocking(self.end, False)
        os.dup2(writing, 1)
        self.times = []

    def read(self):
        try:
            return os.read(self.end, 1 << 20).decode(errors='replace')
        except BlockingIOError:
            return ''

    def note(self, *_):
        now = (time.process_time(), time.perf_counter())
        found = re.findall(r'Sample (\d+)/(\d+)', self.read())
        if any(done in ('0', count) for done, count in found):
            self.times.append(now)

    def start(self):
        # A new scene has no handlers.
        bpy.app.handlers.render_stats[:] = [self.note]
        self.read()
        self.times.clear()

    def stop(self):
        if len(self.times) < 2:
            raise RuntimeError('Blender did not report that it sampled')
        return [last - first for first, last in zip(self.times[0], self.times[-1])]


def perform(path, built, stopwatch):
    with open(path, encoding='utf-8') as file:
        job = json.load(file)
    if job['scene'] != built.get('folder'):
        built.clear()
        build_scene(job['scene'])
        built['folder'] = job['scene']
    set_camera(job['view'])
    set_quality(job['view'], job['seed'])
    set_output(job['picture'])
    stopwatch.start()
    bpy.ops.render.render(write_still=True)
    return stopwatch.stop()


def main():
    jobs = queue.Queue()

    def read():
        for line in sys.stdin:
            jobs.put(line.strip())
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    answers = os.fdopen(3, 'w', encoding='utf-8')
    built, stopwatch = {}, Stopwatch()
    while True:
        job = jobs.get()
        try:
            # Asked for nothing, it says that it is there.
            times = perform(job, built, stopwatch) if job else ()
            answer = ' '.join(['ok', *(f'{seconds:.6f}' for seconds in times)])
        except Exception as error:  # pylint: disable=broad-except
            answer = 'error ' + ' '.join(f'{type(error).__name__}: {error}'.split())
        print(answer, file=answers, flush=True)


main()

"""Our materials and surroundings as nodes of Cycles, for `render.py`.

Only models that both have are here: diffuse, smooth metal, smooth glass, thin sheets and emission are equal; rough metal is GGX with
Smith's masking and shadowing taken as independent (ours: height-correlated), and in place of Schlick's reflectance of the facet that
of the surface; rough glass has Fresnel's reflectance of the surface, not of the facet. `comparable.ts` refuses the rest.
"""

import math

import bpy
import numpy

SMOOTHEST = 0.001


class Nodes:
    """Adds nodes to a tree. Inputs are given by name or number: as another node's output, or as a value."""

    def __init__(self, tree):
        self.tree = tree
        tree.nodes.clear()

    def add(self, kind, inputs=(), **settings):
        node = self.tree.nodes.new(kind)
        for name, value in settings.items():
            setattr(node, name, value)
        for name, value in dict(inputs).items():
            socket = node.inputs[name]
            if isinstance(value, bpy.types.NodeSocket):
                self.tree.links.new(value, socket)
            elif socket.type == 'RGBA':
                socket.default_value = (*value, 1)
            else:
                socket.default_value = value
        return node

    def math(self, operation, *operands):
        return self.add('ShaderNodeMath', enumerate(operands), operation=operation).outputs[0]

    def mix(self, share, first, second):
        """Colours; the second's share."""
        return self.add('ShaderNodeMixRGB', {0: share, 1: first, 2: second}).outputs[0]

    def shader(self, kind, inputs=(), **settings):
        return self.add(f'ShaderNodeBsdf{kind}', inputs, **settings).outputs[0]

    def mix_shader(self, share, first, second):
        return self.add('ShaderNodeMixShader', {0: share, 1: first, 2: second}).outputs[0]


def facets(roughness):
    """Cycles squares the roughness, too."""
    return ('SHARP', 0) if roughness * roughness < SMOOTHEST else ('GGX', roughness)


def build_material(material):
    made = bpy.data.materials.new('material')
    made.use_nodes = True
    made.cycles.homogeneous_volume = True
    nodes = Nodes(made.node_tree)
    output = nodes.add('ShaderNodeOutputMaterial', target='CYCLES')
    glass = material['transmission'] >= 0.5
    if glass and material['thin']:
        surface = sheet(nodes, material)
    elif glass:
        surface = solid(nodes, material)
        absorption = material['absorption']
        most = max(absorption)
        if most > 0:
            # What is absorbed per unit length is density · (1 - colour).
            color = [1 - each / most for each in absorption]
            volume = nodes.add('ShaderNodeVolumeAbsorption', {'Color': color, 'Density': most})
            nodes.tree.links.new(volume.outputs[0], output.inputs['Volume'])
    elif material['metallic'] >= 0.5:
        surface = metal(nodes, material)
    else:
        surface = nodes.shader('Diffuse', {'Color': material['color'], 'Roughness': 0})
    if max(material['emission']) > 0:
        emission = nodes.add('ShaderNodeEmission', {'Color': material['emission'], 'Strength': 1}).outputs[0]
        black = max(material['color']) == 0
        surface = emission if black else nodes.add('ShaderNodeAddShader', {0: surface, 1: emission}).outputs[0]
    nodes.tree.links.new(surface, output.inputs['Surface'])
    return made


def metal(nodes, material):
    """Schlick's reflectance, of the angle to the surface."""
    # With a blend of 1/2, 1 - cosine.
    facing = nodes.add('ShaderNodeLayerWeight', {'Blend': 0.5}).outputs['Facing']
    color = material['color']
    if min(color) < 1:
        color = nodes.mix(nodes.math('POWER', facing, 5), color, (1, 1, 1))
    distribution, roughness = facets(material['roughness'])
    return nodes.shader('Glossy', {'Color': color, 'Roughness': roughness}, distribution=distribution)


def solid(nodes, material):
    """A Glass BSDF has one colour for both; ours tints only what passes."""
    distribution, roughness = facets(material['roughness'])
    passed = nodes.shader(
        'Refraction',
        {'Color': material['color'], 'Roughness': roughness, 'IOR': material['ior']},
        distribution=distribution,
    )
    reflected = nodes.shader('Glossy', {'Color': (1, 1, 1), 'Roughness': roughness}, distribution=distribution)
    reflectance = nodes.add('ShaderNodeFresnel', {'IOR': material['ior']}).outputs[0]
    return nodes.mix_shader(reflectance, passed, reflected)


def sheet(nodes, material):
    """2R / (1 + R) reflected, the rest passes. Without an inside: seen from behind, Cycles takes 1 / IOR, and is given that."""
    ior = material['ior']
    behind = nodes.add('ShaderNodeNewGeometry').outputs['Backfacing']
    index = nodes.math('ADD', nodes.math('MULTIPLY', behind, 1 / ior - ior), ior)
    once = nodes.add('ShaderNodeFresnel', {'IOR': index}).outputs[0]
    both = nodes.math('DIVIDE', nodes.math('MULTIPLY', once, 2), nodes.math('ADD', once, 1))
    passed = nodes.shader('Transparent', {'Color': material['color']})
    reflected = nodes.shader('Glossy', {'Color': (1, 1, 1), 'Roughness': 0}, distribution='SHARP')
    return nodes.mix_shader(both, passed, reflected)


def cone_share(lamp, axis, inner, outer):
    """Makes a point light a spot: three's smoothstep of the cosine to the axis."""
    nodes, cosine = cosine_to(lamp, axis)
    shine(nodes, smoothstep(nodes, cosine, outer, max(inner, outer + 1e-6)))


def even_disc(lamp, axis):
    """Takes the factor 1 / cos³ from a sun."""
    nodes, cosine = cosine_to(lamp, axis)
    shine(nodes, nodes.math('POWER', cosine, 3))


def cosine_to(lamp, axis):
    """Between `axis` and the direction in which light leaves."""
    lamp.use_nodes = True
    nodes = Nodes(lamp.node_tree)
    # In a light's shader, from the light to what it shines on.
    incoming = nodes.add('ShaderNodeNewGeometry').outputs['Incoming']
    return nodes, nodes.add('ShaderNodeVectorMath', {0: incoming, 1: axis}, operation='DOT_PRODUCT').outputs['Value']


def shine(nodes, share):
    emission = nodes.add('ShaderNodeEmission', {'Color': (1, 1, 1), 'Strength': share}).outputs[0]
    nodes.add('ShaderNodeOutputLight', {'Surface': emission})


def smoothstep(nodes, value, start, end):
    inputs = {'Value': value, 'From Min': start, 'From Max': end}
    return nodes.add('ShaderNodeMapRange', inputs, interpolation_type='SMOOTHSTEP').outputs[0]


def build_world(environment, texels):
    world = bpy.data.worlds.new('world')
    bpy.context.scene.world = world
    world.use_nodes = True
    nodes = Nodes(world.node_tree)
    direction = nodes.add('ShaderNodeTexCoord').outputs['Generated']
    if environment['kind'] == 'map':
        radiance, strength = map_of(nodes, environment, direction, texels), environment['intensity']
    elif any(any(environment[part]) for part in ('zenith', 'horizon', 'ground')):
        radiance, strength = sky(nodes, environment, direction), 1
    else:
        # Not a light, then: nothing is aimed at it.
        world.cycles.sampling_method = 'NONE'
        radiance, strength = (0, 0, 0), 0
    background = nodes.add('ShaderNodeBackground', {'Color': radiance, 'Strength': strength}).outputs[0]
    nodes.add('ShaderNodeOutputWorld', {'Surface': background}, target='CYCLES')


def sky(nodes, environment, direction):
    """`shared/sky.ts`."""
    up = nodes.add('ShaderNodeSeparateXYZ', {0: direction}).outputs['Z']
    height = nodes.math('MAXIMUM', up, 0)
    above = nodes.math('MULTIPLY', height, nodes.math('SUBTRACT', 2, height))
    below = smoothstep(nodes, nodes.math('MULTIPLY', up, -10), 0, 1)
    upper = nodes.mix(above, environment['horizon'], environment['zenith'])
    return nodes.mix(below, upper, environment['ground'])


def map_of(nodes, environment, direction, path):
    """Our columns are Cycles', turned around the vertical axis; its rows start at the bottom."""
    width, height = environment['width'], environment['height']
    pixels = numpy.ones((height, width, 4), dtype=numpy.float32)
    pixels[:, :, :3] = numpy.fromfile(path, dtype='<f4').reshape(height, width, 3)[::-1]
    image = bpy.data.images.new('map', width, height, float_buffer=True, is_data=True)
    image.pixels.foreach_set(pixels.ravel())
    image.update()
    angle = (0, 0, -2 * math.pi * environment['rotation'])
    turned = nodes.add('ShaderNodeMapping', {'Vector': direction, 'Rotation': angle}, vector_type='POINT').outputs[0]
    return nodes.add('ShaderNodeTexEnvironment', {'Vector': turned}, image=image, projection='EQUIRECTANGULAR').outputs[0]

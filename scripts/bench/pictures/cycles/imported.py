"""Builds a scene from a glTF file with Blender's own importer, for `render.py`. Light and camera come with the job.

What the importer leaves to EEVEE, Cycles is told here: masks, that the colours of transparent texels count, and that light which facets
scatter several times is not lost. Of an image with colours and numbers, the importer takes the colours for numbers, too. All else is
Blender's reading of the file.
"""

import re

import bpy
import numpy

# Debian's importer is older than its NumPy.
for kind in (bool, int, float):
    if kind.__name__ not in vars(numpy):
        setattr(numpy, kind.__name__, kind)


def import_file(path, diffuse):
    """`diffuse`: all surfaces are, in their colours."""
    try:
        # Every vertex as it is in the file.
        bpy.ops.import_scene.gltf(filepath=path, merge_vertices=False, import_shading='NORMALS')
    except RuntimeError as error:
        # Without the trace of calls.
        reasons = re.findall(r'^\w*(?:Error|Exception): .*', str(error), re.MULTILINE)
        raise RuntimeError(f"Blender's importer: {(reasons or [error])[-1]}") from error
    for thing in list(bpy.data.objects):
        if thing.type in ('LIGHT', 'CAMERA'):
            bpy.data.objects.remove(thing)
            continue
        # In the pose of the file.
        thing.animation_data_clear()
        # Both move shadow rays away from smooth surfaces.
        thing.cycles.shadow_terminator_offset = 0
        thing.cycles.shadow_terminator_geometry_offset = 0
    for image in bpy.data.images:
        # Otherwise colours count as much as they are opaque, in materials that are not transparent, too.
        image.alpha_mode = 'CHANNEL_PACKED'
    for material in bpy.data.materials:
        if material.use_nodes:
            complete(material)
            if diffuse:
                make_diffuse(material.node_tree)


# Labels that the importer gives to nodes.
COLORS = ('BASE COLOR', 'EMISSIVE', 'SHEEN COLOR')


def complete(material):
    tree = material.node_tree
    for node in [node for node in tree.nodes if node.type == 'TEX_IMAGE' and node.label in COLORS and node.image]:
        if node.image.colorspace_settings.name != 'sRGB':
            node.image = node.image.copy()
            node.image.colorspace_settings.name = 'sRGB'
    for node in [node for node in tree.nodes if node.type == 'BSDF_PRINCIPLED']:
        node.distribution = 'MULTI_GGX'
        if material.blend_method == 'CLIP':
            cut_out(tree, node.inputs['Alpha'], material.alpha_threshold)


def cut_out(tree, alpha, threshold):
    """Opacity of 1 from the threshold on, and of 0 below."""
    if not alpha.is_linked:
        alpha.default_value = 1 if alpha.default_value >= threshold else 0
        return
    source = alpha.links[0].from_socket
    compare = tree.nodes.new('ShaderNodeMath')
    compare.operation = 'LESS_THAN'
    tree.links.new(source, compare.inputs[0])
    compare.inputs[1].default_value = threshold
    opposite = tree.nodes.new('ShaderNodeMath')
    opposite.operation = 'SUBTRACT'
    opposite.inputs[0].default_value = 1
    tree.links.new(compare.outputs[0], opposite.inputs[1])
    tree.links.new(opposite.outputs[0], alpha)


def make_diffuse(tree):
    """Colour, opacity, normal and emission of its principled nodes, on a diffuse surface. Blender's multiplies emission by opacity, too."""
    for node in [node for node in tree.nodes if node.type == 'BSDF_PRINCIPLED']:
        diffuse = tree.nodes.new('ShaderNodeBsdfDiffuse')
        emission = tree.nodes.new('ShaderNodeEmission')
        both = tree.nodes.new('ShaderNodeAddShader')
        through = tree.nodes.new('ShaderNodeBsdfTransparent')
        blend = tree.nodes.new('ShaderNodeMixShader')
        take(tree, node.inputs['Base Color'], diffuse.inputs['Color'])
        take(tree, node.inputs['Normal'], diffuse.inputs['Normal'])
        take(tree, node.inputs['Emission'], emission.inputs['Color'])
        take(tree, node.inputs['Emission Strength'], emission.inputs['Strength'])
        take(tree, node.inputs['Alpha'], blend.inputs[0])
        tree.links.new(diffuse.outputs[0], both.inputs[0])
        tree.links.new(emission.outputs[0], both.inputs[1])
        tree.links.new(through.outputs[0], blend.inputs[1])
        tree.links.new(both.outputs[0], blend.inputs[2])
        output = next(each for each in tree.nodes if each.type == 'OUTPUT_MATERIAL')
        for link in list(output.inputs['Volume'].links):
            tree.links.remove(link)
        tree.links.new(blend.outputs[0], output.inputs['Surface'])


def take(tree, source, target):
    """What one input gets, for another."""
    if source.is_linked:
        tree.links.new(source.links[0].from_socket, target)
    elif target.name != 'Normal':
        target.default_value = source.default_value

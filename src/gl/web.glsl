precision highp float;
precision highp int;
precision highp sampler2D;
// WebGL has no rectangle textures; texelFetch reads two-dimensional ones with unnormalised coordinates.
#define sampler2DRect highp sampler2D
#define texture(s, p) texelFetch(s, clamp(ivec2(floor(p)), ivec2(0), textureSize(s, 0) - 1), 0)

// gl_Position is not used; formerly: #extension GL_ARB_gpu_shader_fp64 : require
uniform stream x;
uniform stream y;
void main() { result = fetch(y, here); }

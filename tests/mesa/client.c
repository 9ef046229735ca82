/* Draws a quad with each of the fragment programs of the arguments, in ARB's assembly, on the device of device.c. */
#define GL_GLEXT_PROTOTYPES
#define EGL_EGLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* libgbm's; its header is in a package of its own. */
struct gbm_device *gbm_create_device(int fd);

static void failed(const char *what) {
    fprintf(stderr, "client: %s\n", what);
    exit(1);
}

static void context(void) {
    /* A character device, as a card is; device.c answers for it. */
    int fd = open("/dev/null", O_RDWR);
    EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_GBM_MESA, gbm_create_device(fd), NULL);
    if (!eglInitialize(display, NULL, NULL)) failed("no display");
    eglBindAPI(EGL_OPENGL_API);
    EGLConfig config = NULL;
    EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE}, count = 0;
    EGLContext made = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, NULL);
    if (!made && eglChooseConfig(display, wanted, &config, 1, &count) && count)
        made = eglCreateContext(display, config, EGL_NO_CONTEXT, NULL);
    if (!made || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, made)) failed("no context");
    fprintf(stderr, "renderer %s, %s\n", glGetString(GL_RENDERER), glGetString(GL_VERSION));
}

static void texture(GLenum target, int side) {
    GLuint name;
    glGenTextures(1, &name);
    glBindTexture(target, name);
    glTexImage2D(target, 0, GL_RGBA8, side, side, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    if (target == GL_TEXTURE_2D && side == 64)
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, target, name, 0);
}

static void draw(const char *path) {
    static char text[1 << 20];
    FILE *file = fopen(path, "rb");
    if (!file) failed(path);
    size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    fprintf(stderr, "program %s\n", path);
    GLuint program;
    glGenProgramsARB(1, &program);
    glBindProgramARB(GL_FRAGMENT_PROGRAM_ARB, program);
    glProgramStringARB(GL_FRAGMENT_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB, length, text);
    GLint place;
    glGetIntegerv(GL_PROGRAM_ERROR_POSITION_ARB, &place);
    if (place >= 0) {
        fprintf(stderr, "rejected at %d: %s\n", place, glGetString(GL_PROGRAM_ERROR_STRING_ARB));
        return;
    }
    /* Numbers that no compiler can simplify away. */
    for (int k = 0; k < 64; k++) {
        float x = 0.37f + 0.113f * k;
        glProgramLocalParameter4fARB(GL_FRAGMENT_PROGRAM_ARB, k, x, x + 1, x + 2, x + 3);
    }
    glBegin(GL_QUADS);
    for (int k = 0; k < 4; k++) glVertex2f(k == 1 || k == 2 ? 1 : -1, k < 2 ? -1 : 1);
    glEnd();
    glFinish();
}

int main(int count, char **paths) {
    context();
    GLuint framebuffer;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    texture(GL_TEXTURE_2D, 64);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) failed("no framebuffer");
    glViewport(0, 0, 64, 64);
    GLint units = 16;
    glGetIntegerv(GL_MAX_TEXTURE_IMAGE_UNITS_ARB, &units);
    for (int unit = 0; unit < units; unit++) {
        glActiveTexture(GL_TEXTURE0 + unit);
        texture(GL_TEXTURE_2D, 32);
    }
    glEnable(GL_FRAGMENT_PROGRAM_ARB);
    for (int k = 1; k < count; k++) draw(paths[k]);
    /* What the drivers tidy up at their end needs more of a device. */
    _exit(0);
}

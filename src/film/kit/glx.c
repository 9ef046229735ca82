/* A window by GLX. Link with -lGL -lX11. */
#define _POSIX_C_SOURCE 200112L
#include <stdio.h>
#include <sys/time.h>
#include <GL/glx.h>
#include "window.h"

extern void (*glXGetProcAddressARB(const GLubyte *))(void);

int window_open(void)
{
    static int wanted[] = { GLX_RGBA, GLX_RED_SIZE, 8, GLX_GREEN_SIZE, 8, GLX_BLUE_SIZE, 8, None };
    Display *display = XOpenDisplay(NULL);
    XVisualInfo *visual;
    XSetWindowAttributes attributes;
    GLXContext context;
    Window window, root;
    if (!display) {
        fprintf(stderr, "no display: set DISPLAY\n");
        return 1;
    }
    visual = glXChooseVisual(display, DefaultScreen(display), wanted);
    if (!visual) {
        fprintf(stderr, "no visual with OpenGL\n");
        return 1;
    }
    root = RootWindow(display, visual->screen);
    attributes.colormap = XCreateColormap(display, root, visual->visual, AllocNone);
    attributes.border_pixel = 0;
    window = XCreateWindow(display, root, 0, 0, 64, 64, 0, visual->depth, InputOutput, visual->visual,
                           CWColormap | CWBorderPixel, &attributes);
    XStoreName(display, window, "fragstream kit");
    XMapWindow(display, window);
    context = glXCreateContext(display, visual, NULL, True);
    if (!context || !glXMakeCurrent(display, window, context)) {
        fprintf(stderr, "no OpenGL context\n");
        return 1;
    }
    return 0;
}

any window_entry(const char *name)
{
    return glXGetProcAddressARB((const GLubyte *) name);
}

double window_seconds(void)
{
    struct timeval now;
    gettimeofday(&now, NULL);
    return now.tv_sec + 1e-6 * now.tv_usec;
}

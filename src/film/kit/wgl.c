/* A window by WGL. Link with -lopengl32 -lgdi32. */
#include <stdio.h>
#include <string.h>
#include "window.h"

int window_open(void)
{
    WNDCLASSA kind;
    PIXELFORMATDESCRIPTOR format;
    HWND window;
    HDC device;
    HGLRC context;
    int number;
    memset(&kind, 0, sizeof kind);
    kind.style = CS_OWNDC;
    kind.lpfnWndProc = DefWindowProcA;
    kind.hInstance = GetModuleHandleA(NULL);
    kind.lpszClassName = "fragstream kit";
    RegisterClassA(&kind);
    window = CreateWindowA(kind.lpszClassName, kind.lpszClassName, WS_OVERLAPPEDWINDOW | WS_VISIBLE, 0, 0, 128, 128,
                           NULL, NULL, kind.hInstance, NULL);
    device = window ? GetDC(window) : NULL;
    if (!device) {
        fprintf(stderr, "no window\n");
        return 1;
    }
    memset(&format, 0, sizeof format);
    format.nSize = sizeof format;
    format.nVersion = 1;
    format.dwFlags = PFD_DRAW_TO_WINDOW | PFD_SUPPORT_OPENGL;
    format.iPixelType = PFD_TYPE_RGBA;
    format.cColorBits = 24;
    number = ChoosePixelFormat(device, &format);
    if (!number || !SetPixelFormat(device, number, &format)) {
        fprintf(stderr, "no pixel format with OpenGL\n");
        return 1;
    }
    context = wglCreateContext(device);
    if (!context || !wglMakeCurrent(device, context)) {
        fprintf(stderr, "no OpenGL context\n");
        return 1;
    }
    return 0;
}

any window_entry(const char *name)
{
    return (any) wglGetProcAddress(name);
}

double window_seconds(void)
{
    LARGE_INTEGER now, unit;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&unit);
    return (double) now.QuadPart / (double) unit.QuadPart;
}

/* bcryptprimitives.dll: a function that Rust's standard library needs, and that Wine before 9 lacks. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T length) {
    return SystemFunction036(buffer, (ULONG)length);
}

/* Sets HOME, which a shell of Git for Windows sets, and which Wine does not pass on. Every Rust
 * program loads this library before it starts. */
BOOL WINAPI DllMain(HINSTANCE library, DWORD reason, LPVOID reserved) {
    WCHAR home[MAX_PATH];
    if (reason == DLL_PROCESS_ATTACH && GetEnvironmentVariableW(L"WINEHOMEDIR", home, MAX_PATH))
        /* What follows the prefix of the kernel's paths, `\??\`. */
        SetEnvironmentVariableW(L"HOME", home + 4);
    return TRUE;
}

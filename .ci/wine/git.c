/* git.exe: runs the system's git outside of Wine, for tests that call git.
 *
 * Wine starts programs of the system, but cannot wait for them nor connect pipes to them. So input
 * and output are files in a temporary directory, and so is the exit code, which ends the wait. */
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

typedef char *(CDECL *unix_name)(const WCHAR *path);

static const char SCRIPT[] =
    "d=$1; shift; git \\\"$@\\\" <\\\"$d/in\\\" >\\\"$d/out\\\" 2>\\\"$d/err\\\"; "
    "echo $? >\\\"$d/new\\\"; mv \\\"$d/new\\\" \\\"$d/code\\\"";

static WCHAR directory[MAX_PATH];

static void fail(const char *what) {
    fprintf(stderr, "git.exe: failed to %s (%lu)\n", what, GetLastError());
    exit(125);
}

static HANDLE file(const WCHAR *name, DWORD access, DWORD disposition) {
    WCHAR path[MAX_PATH];
    swprintf(path, MAX_PATH, L"%ls\\%ls", directory, name);
    return CreateFileW(path, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, disposition, 0, NULL);
}

static void copy(HANDLE from, HANDLE to) {
    static char bytes[65536];
    DWORD count, written;
    while (ReadFile(from, bytes, sizeof bytes, &count, NULL) && count > 0)
        for (DWORD at = 0; at < count; at += written)
            if (!WriteFile(to, bytes + at, count - at, &written, NULL)) return;
}

/* Returns what follows the name of the program in a command line. */
static const WCHAR *arguments(const WCHAR *line) {
    int quoted = 0;
    for (; *line && (quoted || (*line != ' ' && *line != '\t')); line++)
        if (*line == '"') quoted = !quoted;
    return line;
}

int main(void) {
    unix_name name = (unix_name)(void *)GetProcAddress(GetModuleHandleW(L"kernel32"), "wine_get_unix_file_name");
    if (!name) fail("run outside of Wine");

    WCHAR temporary[MAX_PATH], root[MAX_PATH];
    GetTempPathW(MAX_PATH, temporary);
    if (!GetTempFileNameW(temporary, L"git", 0, directory)) fail("name a temporary directory");
    DeleteFileW(directory);
    if (!CreateDirectoryW(directory, NULL)) fail("create a temporary directory");

    /* The only path that the tests pass in a variable. */
    if (GetEnvironmentVariableW(L"GIT_PROJECT_ROOT", root, MAX_PATH))
        SetEnvironmentVariableA("GIT_PROJECT_ROOT", name(root));

    HANDLE input = file(L"in", GENERIC_WRITE, CREATE_ALWAYS);
    if (GetFileType(GetStdHandle(STD_INPUT_HANDLE)) == FILE_TYPE_PIPE) copy(GetStdHandle(STD_INPUT_HANDLE), input);
    CloseHandle(input);

    const WCHAR *given = arguments(GetCommandLineW());
    size_t length = wcslen(given) + 2048;
    WCHAR *line = calloc(length, sizeof *line);
    swprintf(line, length, L"sh -c \"%hs\" sh \"%hs\" %ls", SCRIPT, name(directory), given);
    STARTUPINFOW startup = {.cb = sizeof startup};
    PROCESS_INFORMATION process;
    if (!CreateProcessW(L"Z:\\bin\\sh", line, NULL, NULL, FALSE, 0, NULL, NULL, &startup, &process)) fail("start sh");

    HANDLE code;
    while ((code = file(L"code", GENERIC_READ, OPEN_EXISTING)) == INVALID_HANDLE_VALUE) Sleep(2);
    char digits[8] = "";
    DWORD count;
    ReadFile(code, digits, sizeof digits - 1, &count, NULL);
    CloseHandle(code);
    HANDLE output = file(L"out", GENERIC_READ, OPEN_EXISTING), errors = file(L"err", GENERIC_READ, OPEN_EXISTING);
    copy(output, GetStdHandle(STD_OUTPUT_HANDLE));
    copy(errors, GetStdHandle(STD_ERROR_HANDLE));
    CloseHandle(output);
    CloseHandle(errors);
    for (const WCHAR *names[] = {L"in", L"out", L"err", L"code", NULL}, **at = names; *at; at++) {
        WCHAR path[MAX_PATH];
        swprintf(path, MAX_PATH, L"%ls\\%ls", directory, *at);
        DeleteFileW(path);
    }
    RemoveDirectoryW(directory);
    return atoi(digits);
}

// A guest with the C library: it asks for everything that WASI has, and says what it got.
//
//   clang --target=wasm32-wasi -mexec-model=reactor -O2 -o libc.wasm libc.c

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifndef EARLY
#define EARLY 0
#endif

__attribute__((import_module("wasmtools_v1"), import_name("write"))) void tool_write(const void *from, unsigned size);
__attribute__((import_module("wasmtools_v1"), import_name("input"))) int tool_input(void);
__attribute__((import_module("wasmtools_v1"), import_name("read"))) int tool_read(void *to, unsigned size);

static const char description[] = "{\"tools\":[{\"name\":\"world\",\"input\":\"text\"},{\"name\":\"exit\",\"input\":\"text\"},"
                                  "{\"name\":\"random\",\"input\":\"text\"}]}";

__attribute__((export_name("spec"))) int spec(void) {
  tool_write(description, sizeof description - 1);
  return 0;
}

#define SAY(...) (at += snprintf(out + at, sizeof out - at, __VA_ARGS__))

static void world(void) {
  static char out[4096];
  int at = 0;
  struct timespec before, after, pause = {0, 3000000};

  SAY("HOME: %d\n", getenv("HOME") != NULL);
  clock_gettime(CLOCK_MONOTONIC, &before);
  SAY("nanosleep: %d", nanosleep(&pause, NULL));
  clock_gettime(CLOCK_MONOTONIC, &after);
  SAY(", slept: %d", (after.tv_sec - before.tv_sec) * 1000000000LL + after.tv_nsec - before.tv_nsec >= 3000000);
  after.tv_nsec += 1000000;
  SAY(", until: %d, year: %d\n", clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &after, NULL), time(NULL) > 1600000000);
  SAY("resolution: %d\n", clock_getres(CLOCK_MONOTONIC, &after) == 0 && after.tv_nsec > 0);

  char a[16] = {0}, b[16] = {0};
  SAY("random: %d %d %d\n", getentropy(a, sizeof a), getentropy(b, sizeof b), memcmp(a, b, sizeof a) != 0);

  SAY("fopen: %d\n", fopen("/etc/passwd", "r") != NULL);
  SAY("terminal: %d %d\n", isatty(1), isatty(7));
  SAY("lseek: %d", (int)lseek(1, 0, SEEK_CUR));
  SAY(" %d\n", errno == ESPIPE);
  struct stat st;
  SAY("fstat: %d %d\n", fstat(1, &st), S_ISCHR(st.st_mode));
  SAY("flags: %d %d %d\n", fcntl(0, F_GETFL), fcntl(1, F_GETFL) == O_WRONLY, fcntl(1, F_SETFL, O_NONBLOCK));
  struct pollfd fds[] = {{0, POLLIN, 0}, {1, POLLOUT, 0}};
  SAY("poll: %d %d %d\n", poll(fds, 2, 1000), (fds[0].revents & POLLIN) != 0, (fds[1].revents & POLLOUT) != 0);
  SAY("getchar: %d, yield: %d\n", getchar(), sched_yield());

  printf("a line that nobody flushes\n");
  fprintf(stderr, "an error\n");
  SAY("close: %d", close(2));
  SAY(" %d", (int)write(2, "x", 1));
  SAY(" %d\n", errno == EBADF);
  tool_write(out, at);
}

// With EARLY, random numbers are drawn while the module initialises.
__attribute__((constructor)) static void early(void) {
  if (EARLY)
    arc4random();
}

static void write_random(void) {
  char source[16] = {0}, out[32];
  unsigned long long number = 0;
  tool_input();
  tool_read(source, sizeof source - 1);
  if (!strcmp(source, "getentropy"))
    getentropy(&number, sizeof number);
  if (!strcmp(source, "arc4random"))
    arc4random_buf(&number, sizeof number);
  if (!strcmp(source, "rand"))
    number = rand();
  tool_write(out, snprintf(out, sizeof out, "%llx", number));
}

__attribute__((export_name("execute"))) int execute(int tool) {
  if (tool == 1)
    exit(7);
  if (tool == 2)
    write_random();
  else
    world();
  return 0;
}

// A guest for benchmarks, without libc: it parses JSON into a tree, and prints the tree again. Two more tools compute.

#include <stddef.h>
#include <stdint.h>

#define IMPORT(name) __attribute__((import_module("wasmtools_v1"), import_name(name)))
#define EXPORT(name) __attribute__((export_name(name)))

IMPORT("input") size_t input(void);
IMPORT("read") size_t read(void *to, size_t size);
IMPORT("write") void write(const void *from, size_t size);

enum status { JSON = 1, BAD_ARGUMENTS = 4 };

static const char description[] =
    "{\"tools\":["
    "{\"name\":\"json\",\"description\":\"Parses its arguments and prints them.\"},"
    "{\"name\":\"crc\",\"description\":\"Takes a checksum of 40 KB.\"},"
    "{\"name\":\"loop\",\"description\":\"Goes round 100,000 times.\"}"
    "]}";

EXPORT("spec") int spec(void) {
  write(description, sizeof description - 1);
  return 0;
}

// The arena is what lies behind the data. Every call starts it anew.
extern char __heap_base;
static char *arena;

static void *allocate(size_t size) {
  char *at = arena;
  arena += (size + 7) & ~(size_t)7;
  size_t have = __builtin_wasm_memory_size(0) << 16;
  if ((size_t)arena > have && __builtin_wasm_memory_grow(0, (((size_t)arena - have) >> 16) + 1) == (size_t)-1)
    __builtin_trap();
  return at;
}

struct text {
  const char *at;
  size_t size;
};

enum kind { WORD, STRING, NUMBER, ARRAY, OBJECT };

struct node {
  enum kind kind;
  struct text key, text; // text is that of a word or, with its escapes, of a string
  int64_t digits;        // a number is digits * 10^exponent
  int exponent;
  struct node *child, *next;
};

// Parsing. What is wrong sets bad and is not looked at further.
static const char *at, *end;
static int bad;

static int peek(void) {
  while (at < end && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r'))
    at++;
  return at < end ? *at : -1;
}

static int accept(int c) {
  if (peek() != c)
    return 0;
  at++;
  return 1;
}

static struct text string(void) {
  bad |= !accept('"');
  const char *from = at;
  while (at < end && *at != '"')
    at += *at == '\\' ? 2 : 1;
  struct text t = {from, (size_t)(at - from)};
  bad |= at >= end;
  at++;
  return t;
}

static int digit(void) { return at < end && *at >= '0' && *at <= '9'; }

static void number(struct node *n) {
  int negative = accept('-'), places = 0, scale = 0;
  bad |= !digit();
  for (; digit(); at++)
    n->digits = n->digits * 10 + (*at - '0');
  if (at < end && *at == '.')
    for (at++; digit(); at++, places++)
      n->digits = n->digits * 10 + (*at - '0');
  if (at < end && (*at | 32) == 'e') {
    at++;
    int down = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    for (; digit(); at++)
      scale = scale * 10 + (*at - '0');
    scale = down ? -scale : scale;
  }
  n->digits = negative ? -n->digits : n->digits;
  n->exponent = scale - places;
}

static struct node *value(void);

static struct node *members(int close, int keyed) {
  struct node *first = 0, **last = &first;
  at++;
  if (accept(close))
    return 0;
  do {
    struct text key = {0, 0};
    if (keyed) {
      peek();
      key = string();
      bad |= !accept(':');
    }
    *last = value();
    (*last)->key = key;
    last = &(*last)->next;
  } while (!bad && accept(','));
  bad |= !accept(close);
  return first;
}

static struct node *value(void) {
  struct node *n = allocate(sizeof *n);
  *n = (struct node){.kind = WORD};
  int c = peek();
  if (c == '{') {
    n->kind = OBJECT;
    n->child = members('}', 1);
  } else if (c == '[') {
    n->kind = ARRAY;
    n->child = members(']', 0);
  } else if (c == '"') {
    n->kind = STRING;
    n->text = string();
  } else if (c == 't' || c == 'f' || c == 'n') {
    n->text = (struct text){at, c == 'f' ? 5 : 4};
    at += n->text.size;
    bad |= at > end;
  } else {
    n->kind = NUMBER;
    number(n);
  }
  return n;
}

// Printing.
static char out[16384];
static size_t length;

static void flush(void) {
  write(out, length);
  length = 0;
}

static void put(char c) {
  if (length == sizeof out)
    flush();
  out[length++] = c;
}

static void print(const struct node *n);

static void print_text(struct text t) {
  for (size_t i = 0; i < t.size; i++)
    put(t.at[i]);
}

static void print_string(struct text t) {
  put('"');
  print_text(t);
  put('"');
}

// print_number prints the digits with a point in them or, where that would take many zeros, an exponent.
static void print_number(int64_t value, int exponent) {
  char digits[32];
  int count = 0, point = exponent < 0 && exponent > -20 ? -exponent : 0;
  uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
  if (value < 0)
    put('-');
  do
    digits[count++] = '0' + rest % 10;
  while ((rest /= 10) || count <= point);
  while (count > 0) {
    put(digits[--count]);
    if (count > 0 && count == point)
      put('.');
  }
  if (exponent != -point) {
    put('e');
    print_number(exponent, 0);
  }
}

static void print_members(const struct node *n, char open, char close) {
  put(open);
  for (const struct node *c = n->child; c; c = c->next) {
    if (c != n->child)
      put(',');
    if (open == '{') {
      print_string(c->key);
      put(':');
    }
    print(c);
  }
  put(close);
}

static void print(const struct node *n) {
  switch (n->kind) {
  case WORD: print_text(n->text); break;
  case STRING: print_string(n->text); break;
  case NUMBER: print_number(n->digits, n->exponent); break;
  case ARRAY: print_members(n, '[', ']'); break;
  case OBJECT: print_members(n, '{', '}'); break;
  }
}

static int json(void) {
  static const char message[] = "this is not JSON";
  size_t size = input(), have = 0, n;
  char *text = allocate(size);
  while (have < size && (n = read(text + have, size - have)) > 0)
    have += n;
  at = text;
  end = text + have;
  bad = 0;
  struct node *tree = value();
  if (bad || peek() >= 0) {
    write(message, sizeof message - 1);
    return BAD_ARGUMENTS;
  }
  print(tree);
  return JSON;
}

static uint32_t table[256];

static int crc(void) {
  static unsigned char block[4096];
  uint32_t seed = 1, sum = ~(uint32_t)0;
  for (uint32_t i = 0; i < 256; i++) {
    table[i] = i;
    for (int bit = 0; bit < 8; bit++)
      table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320 : 0);
  }
  for (size_t i = 0; i < sizeof block; i++) {
    seed = seed * 1664525 + 1013904223;
    block[i] = seed >> 24;
  }
  for (int round = 0; round < 10; round++)
    for (size_t i = 0; i < sizeof block; i++)
      sum = sum >> 8 ^ table[(sum ^ block[i]) & 0xff];
  print_number(~sum, 0);
  return JSON;
}

static int loop(void) {
  int n = 0;
  while (n < 100000) {
    n++;
    __asm__ volatile("" : "+r"(n)); // the compiler knows nothing better than to count
  }
  print_number(n, 0);
  return JSON;
}

EXPORT("execute") int execute(int tool) {
  arena = &__heap_base;
  int status = tool == 0 ? json() : tool == 1 ? crc() : loop();
  flush();
  return status;
}

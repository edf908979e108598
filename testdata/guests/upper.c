// A guest without libc, SDK or allocator, written from docs/abi.md alone.
// It holds one tool that takes a text and returns it in capitals.

#define IMPORT(name) __attribute__((import_module("wasmtools_v1"), import_name(name)))
#define EXPORT(name) __attribute__((export_name(name)))

IMPORT("input") unsigned input(void);
IMPORT("read") unsigned read(void *to, unsigned size);
IMPORT("write") void write(const void *from, unsigned size);

enum status { TEXT = 0, BAD_ARGUMENTS = 4 };

static const char description[] =
    "{\"tools\":[{"
    "\"name\":\"upper\","
    "\"description\":\"Returns the text in capitals. Only ASCII letters change.\","
    "\"input\":\"text\","
    "\"annotations\":{\"readOnly\":true,\"openWorld\":false}"
    "}]}";

EXPORT("spec") int spec(void) {
  write(description, sizeof description - 1);
  return 0;
}

EXPORT("execute") int execute(int tool) {
  static const char empty[] = "the text must not be empty";
  char chunk[4096];
  unsigned n;
  if (input() == 0) {
    write(empty, sizeof empty - 1);
    return BAD_ARGUMENTS | 422 << 8;
  }
  while ((n = read(chunk, sizeof chunk)) > 0) {
    for (unsigned i = 0; i < n; i++)
      if (chunk[i] >= 'a' && chunk[i] <= 'z')
        chunk[i] -= 'a' - 'A';
    write(chunk, n);
  }
  return TEXT;
}

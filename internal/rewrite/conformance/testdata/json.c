// A guest for benchmarks: it parses JSON into a tree with wasi-libc's allocator, and prints the tree again.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(name)))

typedef struct node {
	char kind, *text;
	double number;
	struct node *child, *next;
	char *key;
} node;

static const char *at, *end;
static char *out;
static size_t length, capacity;

static void space(void) {
	while (at < end && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')) at++;
}

static node *make(char kind) {
	node *n = calloc(1, sizeof *n);
	n->kind = kind;
	return n;
}

static char *string(void) {
	const char *from = ++at;
	while (at < end && *at != '"') at += *at == '\\' ? 2 : 1;
	size_t n = at++ - from;
	char *s = malloc(n + 1);
	memcpy(s, from, n);
	s[n] = 0;
	return s;
}

static node *value(void);

static node *members(char kind, char close) {
	node *n = make(kind), **last = &n->child;
	at++;
	for (space(); at < end && *at != close; space()) {
		char *key = 0;
		if (kind == 'o') {
			key = string();
			space();
			at++;
		}
		*last = value();
		(*last)->key = key;
		last = &(*last)->next;
		space();
		if (at < end && *at == ',') at++;
		else if (at >= end || *at != close) return n;
	}
	at++;
	return n;
}

static node *value(void) {
	space();
	if (at >= end) return make('0');
	if (*at == '{') return members('o', '}');
	if (*at == '[') return members('a', ']');
	node *n;
	if (*at == '"') {
		n = make('s');
		n->text = string();
	} else if (*at == 't' || *at == 'f' || *at == 'n') {
		n = make(*at);
		at += *at == 'f' ? 5 : 4;
	} else {
		char *rest;
		n = make('d');
		n->number = strtod(at, &rest);
		at = rest > at ? rest : end;
	}
	return n;
}

static void put(const char *s, size_t n) {
	if (length + n > capacity) {
		capacity = (length + n) * 2;
		out = realloc(out, capacity);
	}
	memcpy(out + length, s, n);
	length += n;
}

static void quoted(const char *s) {
	put("\"", 1);
	put(s, strlen(s));
	put("\"", 1);
}

static void print(node *n) {
	char digits[40];
	switch (n->kind) {
	case 'o':
	case 'a':
		put(n->kind == 'o' ? "{" : "[", 1);
		for (node *c = n->child; c; c = c->next) {
			if (c != n->child) put(",", 1);
			if (c->key) {
				quoted(c->key);
				put(":", 1);
			}
			print(c);
		}
		put(n->kind == 'o' ? "}" : "]", 1);
		break;
	case 's': quoted(n->text); break;
	case 't': put("true", 4); break;
	case 'f': put("false", 5); break;
	case 'd': put(digits, snprintf(digits, sizeof digits, "%.15g", n->number)); break;
	default: put("null", 4);
	}
}

static void release(node *n) {
	for (node *c = n->child, *next; c; c = next) {
		next = c->next;
		free(c->key);
		release(c);
	}
	free(n->text);
	free(n);
}

EXPORT("alloc") void *alloc(int n) { return malloc(n); }

EXPORT("execute") int execute(char *in, int n) {
	at = in;
	end = in + n;
	length = 0;
	node *tree = value();
	print(tree);
	release(tree);
	free(in);
	return length;
}

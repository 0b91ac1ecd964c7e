/*
 * Seed B's note-taking tool in C: the world ein:plugin/plugin by the canonical ABI, without generated bindings. Texts go
 * as pointer and length; what is returned through memory stays until the host has read it, then a `cabi_post_` function
 * may free it. One call runs at a time.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wasi/api.h>

#include "json.h"

#define EXPORT(name) __attribute__((export_name("ein:plugin/tool#" name)))

typedef struct { const char *data; size_t length; } Text;
/* result<string, string>, where 1 is the error, and option<string>, where 1 is some. */
typedef struct { uint8_t tag; Text text; } TaggedText;

__attribute__((import_module("[export]ein:plugin/tool"), import_name("[resource-new]tool")))
int32_t resource_new(int32_t self);

/* The host allocates here what it gives to us: the arguments of a call. */
__attribute__((export_name("cabi_realloc")))
void *cabi_realloc(void *old, size_t old_size, size_t align, size_t size) {
  (void)old_size, (void)align;
  void *data = realloc(old, size ? size : 1);
  if (!data) __builtin_trap();
  return data;
}

static Text text_of(const char *data) { return (Text){data, strlen(data)}; }

static void *need(void *data) {
  if (!data) __builtin_trap();
  return data;
}

static int is_below(const char *path, const char *root) {
  size_t length = strlen(root);
  return strncmp(path, root, length) == 0 && (root[length - 1] == '/' || path[length] == '/' || !path[length]);
}

/* The workspace roots, as the host has preopened them, and whether a path may lie in one: only an absolute one cannot. */
typedef struct { char *names; int mayHoldPath; } Roots;

static Roots find_roots(const char *path) {
  Roots roots = {need(calloc(1, 1)), *path != '/'};
  for (__wasi_fd_t fd = 3;; fd++) {
    __wasi_prestat_t found;
    if (__wasi_fd_prestat_get(fd, &found) != 0) return roots;
    size_t length = found.u.dir.pr_name_len, before = strlen(roots.names);
    char *name = need(calloc(1, length + 1));
    if (length > 0 && __wasi_fd_prestat_dir_name(fd, (uint8_t *)name, length) == 0 && strcmp(name, ".") != 0) {
      roots.names = need(realloc(roots.names, before + length + 3));
      sprintf(roots.names + before, "%s%s", before ? ", " : "", name);
      roots.mayHoldPath |= is_below(path, name);
    }
    free(name);
  }
}

/*
 * Appends the line: 0, or why not. wasi-libc looks for an absolute path that lies in no root below ".", the first one, so
 * that it has to be refused here.
 */
static int append_line(const char *file, const char *text, const Roots *roots) {
  if (!roots->mayHoldPath) return ENOTCAPABLE;
  FILE *notes = fopen(file, "a");
  if (!notes) return errno;
  int failed = fprintf(notes, "%s\n", text) < 0 ? errno : 0;
  return fclose(notes) != 0 && !failed ? errno : failed;
}

static TaggedText failure(const char *file, int error, const Roots *roots) {
  char *message;
  int length = error == ENOTCAPABLE || error == EPERM
      ? asprintf(&message, "%s is outside the directories that the session grants: %s", file, roots->names)
      : asprintf(&message, "cannot append to %s: %s (the session grants %s)", file, strerror(error), roots->names);
  if (length < 0) __builtin_trap();
  return (TaggedText){1, {message, (size_t)length}};
}

static TaggedText appended(const char *id, const char *file) {
  char *content, *answer;
  if (asprintf(&content, "Appended to %s", file) < 0) __builtin_trap();
  char *quoted_id = need(json_quote(id)), *quoted = need(json_quote(content));
  int length = asprintf(&answer, "{\"tool_call_id\":%s,\"content\":%s}", quoted_id, quoted);
  if (length < 0) __builtin_trap();
  free(content), free(quoted_id), free(quoted);
  return (TaggedText){0, {answer, (size_t)length}};
}

EXPORT("[constructor]tool") int32_t construct(void) { return resource_new(0); }
EXPORT("[dtor]tool") void destruct(int32_t self) { (void)self; }

EXPORT("[method]tool.name") const Text *name(int32_t self) {
  (void)self;
  static Text text;
  text = text_of("Note");
  return &text;
}

EXPORT("[method]tool.schema") const Text *schema(int32_t self) {
  (void)self;
  static Text text;
  text = text_of(
      "{\"type\":\"function\",\"function\":{\"name\":\"Note\",\"description\":\"Append a note to a text file\","
      "\"parameters\":{\"type\":\"object\",\"properties\":{"
      "\"text\":{\"type\":\"string\",\"description\":\"The text to append\"},"
      "\"file\":{\"type\":\"string\",\"description\":"
      "\"Path to the notes file, absolute or relative to the first workspace root\"}},"
      "\"required\":[\"text\",\"file\"]}}}");
  return &text;
}

EXPORT("[method]tool.primary-arg") const TaggedText *primary_arg(int32_t self) {
  (void)self;
  static TaggedText some;
  some = (TaggedText){1, text_of("file")};
  return &some;
}

EXPORT("[method]tool.call")
const TaggedText *call(int32_t self, const char *id, size_t id_length, const char *args, size_t args_length) {
  (void)self;
  static TaggedText result;
  char *call_id = need(strndup(id, id_length)), *json = need(strndup(args, args_length));
  char *text = json_member(json, "text"), *file = json_member(json, "file");
  if (text && file) {
    Roots roots = find_roots(file);
    int error = append_line(file, text, &roots);
    result = error ? failure(file, error, &roots) : appended(call_id, file);
    free(roots.names);
  } else {
    result = (TaggedText){1, text_of(strdup("text and file must be given, without U+0000"))};
  }
  free(call_id), free(json), free(text), free(file);
  return &result;
}

__attribute__((export_name("cabi_post_ein:plugin/tool#[method]tool.call"))) void call_is_read(TaggedText *result) { free((void *)result->text.data); }

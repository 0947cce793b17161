// The option --hypermile of srun, sbatch and salloc. What it means is the business of the command
// `hypermile slurm`, which checks the settings before a job starts, and which prints the variables
// that each task gets. So this plugin stays small, and nothing that it does can end a job.
//
// Loaded by srun, sbatch, salloc and slurmstepd, which bring the functions spank_...

#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#pragma GCC visibility push(default) // all else is hidden
#include <slurm/spank.h>
SPANK_PLUGIN(hypermile, 1)
#pragma GCC visibility pop

enum { most_site_arguments = 32, most_output = 1 << 16, shell_found_nothing = 127 };

static const char command_argument[] = "hypermile=";

static char command[PATH_MAX];          ///< the program hypermile
static char* site[most_site_arguments]; ///< settings of plugstack.conf
static int site_arguments = 0;

/// bin/hypermile of the installation that this plugin is part of: the folders of both are known
/// from the prefix on, and the prefix may have been moved.
static void find_command(void) {
  static const char here = 0;
  Dl_info info;
  command[0] = '\0';
  if (dladdr(&here, &info) == 0 || realpath(info.dli_fname, command) == NULL)
    return;
  static const char folder[] = "/" HYPERMILE_LIBDIR "/hypermile/";
  char* end = NULL;
  for (char* at = command; (at = strstr(at, folder)) != NULL; ++at)
    end = at; // the last one: the prefix may be called so, too
  static const char program[] = "/" HYPERMILE_BINDIR "/hypermile";
  if (end == NULL || (size_t)(end - command) + sizeof program > sizeof command)
    command[0] = '\0';
  else
    memcpy(end, program, sizeof program);
}

static void read_arguments(int count, char** arguments) {
  find_command();
  for (; site_arguments > 0; --site_arguments) // of an earlier component of a heterogeneous job
    free(site[site_arguments - 1]);
  for (int i = 0; i < count; ++i) {
    const size_t length = sizeof command_argument - 1;
    if (strncmp(arguments[i], command_argument, length) == 0)
      snprintf(command, sizeof command, "%s", arguments[i] + length);
    else if (site_arguments < most_site_arguments) {
      char* const copy = strdup(arguments[i]);
      if (copy != NULL)
        site[site_arguments++] = copy;
    }
  }
}

/// How `hypermile slurm` ended.
struct answer {
  char output[most_output]; ///< a text that ends with 0
  int code;                 ///< its exit code; shell_found_nothing: it did not run to an end
};

/// Reads up to the end. Whether all of it fits: if not, there is no output.
static int read_output(int descriptor, struct answer* answer) {
  size_t length = 0;
  int fits = 1;
  for (;;) {
    char spare[512];
    const size_t space = sizeof answer->output - 1 - length;
    const ssize_t got = space > 0 ? read(descriptor, answer->output + length, space)
                                  : read(descriptor, spare, sizeof spare);
    if (got > 0 && space > 0)
      length += (size_t)got;
    else if (got > 0)
      fits = 0;
    else if (got == 0 || (got < 0 && errno != EINTR))
      break;
  }
  answer->output[fits ? length : 0] = '\0';
  return fits;
}

static int end_of(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return 0; // somebody else has waited for it: what it printed counts
  return WIFEXITED(status) ? WEXITSTATUS(status) : shell_found_nothing;
}

/// Runs `hypermile slurm` in this environment. Takes what it prints on `stream`; of its other
/// stream nothing is seen if `silent`.
static void ask(const char* settings, int checks, int stream, int silent, char** environment,
                struct answer* answer) {
  static char slurm[] = "slurm";
  static char check[] = "--check";
  static char of_site[] = "--site";
  static char end_of_options[] = "--";
  char* arguments[2 * most_site_arguments + 6];
  int count = 0;
  arguments[count++] = command;
  arguments[count++] = slurm;
  if (checks)
    arguments[count++] = check;
  for (int i = 0; i < site_arguments; ++i) {
    arguments[count++] = of_site;
    arguments[count++] = site[i];
  }
  arguments[count++] = end_of_options;
  char* const copy = strdup(settings);
  arguments[count++] = copy;
  arguments[count] = NULL;

  answer->code = shell_found_nothing;
  answer->output[0] = '\0';
  int ends[2];
  posix_spawn_file_actions_t actions;
  if (copy == NULL || command[0] != '/' || pipe2(ends, O_CLOEXEC) != 0) {
    free(copy);
    return;
  }
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (silent)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], stream);
  pid_t child = -1;
  const int failed = posix_spawn(&child, command, &actions, NULL, arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (failed == 0) {
    const int fits = read_output(ends[0], answer);
    const int code = end_of(child);
    answer->code = fits ? code : shell_found_nothing;
  }
  close(ends[0]);
  free(copy);
}

/// Settings that make no sense are refused before the job starts.
static int check_option(int value, const char* settings, int remote) {
  (void)value;
  if (remote)
    return ESPANK_SUCCESS;
  struct answer* const answer = malloc(sizeof *answer);
  if (answer == NULL)
    return ESPANK_SUCCESS;
  ask(settings == NULL ? "" : settings, 1, STDERR_FILENO, 0, environ, answer);
  int result = ESPANK_SUCCESS;
  if (answer->code == shell_found_nothing) {
    slurm_spank_log("hypermile: warning: %s does not run here, so --hypermile is not checked",
                    command[0] != '\0' ? command : "the command hypermile");
  } else {
    const size_t length = strcspn(answer->output, "\n");
    if (answer->output[0] != '\0' && answer->output[length] == '\n' &&
        answer->output[length + 1] == '\0')
      answer->output[length] = '\0';
    if (answer->output[0] != '\0')
      slurm_spank_log("%s", answer->output);
    if (answer->code != 0)
      result = ESPANK_BAD_ARG;
  }
  free(answer);
  return result;
}

static char name[] = "hypermile";
static char argument[] = "SETTINGS";
static char usage[] = "use less energy: choose CPU frequencies while the job runs, e.g. maxdist, "
                      "max-slowdown=3%, dry-run, off; see 'hypermile slurm --help'";
static struct spank_option option = {.name = name,
                                     .arginfo = argument,
                                     .usage = usage,
                                     .has_arg = 2, // may be left out
                                     .val = 0,
                                     .cb = check_option};

/// Lines NAME=VALUE; without a value the variable goes.
static void set_variables(spank_t spank, char* lines) {
  char* rest = lines;
  for (char* line = strsep(&rest, "\n"); line != NULL; line = strsep(&rest, "\n")) {
    char* const equals = strchr(line, '=');
    if (equals == NULL)
      continue;
    *equals = '\0';
    if (equals[1] == '\0')
      spank_unsetenv(spank, line);
    else
      spank_setenv(spank, line, equals + 1, 1);
  }
}

#pragma GCC visibility push(default)

int slurm_spank_init(spank_t spank, int count, char** arguments) {
  const spank_context_t context = spank_context();
  if (context != S_CTX_LOCAL && context != S_CTX_ALLOCATOR && context != S_CTX_REMOTE)
    return ESPANK_SUCCESS;
  read_arguments(count, arguments);
  return spank_option_register(spank, &option);
}

/// In a task, as its user, just before its program.
int slurm_spank_task_init(spank_t spank, int count, char** arguments) {
  (void)count;
  (void)arguments;
  char* settings = NULL;
  if (spank_option_getopt(spank, &option, &settings) != ESPANK_SUCCESS)
    return ESPANK_SUCCESS;
  struct answer* const answer = malloc(sizeof *answer);
  if (answer == NULL)
    return ESPANK_SUCCESS;
  char** environment = NULL;
  uint32_t task = 0;
  spank_get_item(spank, S_JOB_ENV, &environment);
  spank_get_item(spank, S_TASK_GLOBAL_ID, &task);
  ask(settings == NULL ? "" : settings, 0, STDOUT_FILENO, task != 0, environment, answer);
  if (answer->code == 0)
    set_variables(spank, answer->output);
  else if (task == 0)
    slurm_spank_log("hypermile: warning: %s does not run on this node, so the job runs without it",
                    command[0] != '\0' ? command : "the command hypermile");
  free(answer);
  return ESPANK_SUCCESS;
}

#pragma GCC visibility pop

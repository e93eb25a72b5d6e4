/*
 * Many agents on one mux port, with as many peers: checks that all of them exchange messages, that those that are left
 * go on when every other pair is destroyed, and prints what a datagram costs the thread "juice mux".
 *
 *     cc -O2 -I libjuice/include libjuice-mux-many.c libjuice/build/libjuice-static.a -lpthread -o mux-many
 *     ./mux-many 400 distinct        # or: equal; then how many seconds, by default 10
 *
 * Each peer sends 17 datagrams of 100 bytes a second, as many as a browser sends reports. Linux only: the CPU time is
 * that of /proc.
 */

#include "juice/juice.h"

#include <dirent.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MUX_PORT 61234
#define CONNECTED_WITHIN 5 // s
#define GROUPS 4           // of peers that send in turn
#define TURNS_PER_SECOND (17.0 * GROUPS)

typedef struct pair {
	juice_agent_t *agent; // on the mux port
	juice_agent_t *peer;
	atomic_bool is_agent_connected;
	atomic_bool is_peer_connected;
	atomic_int received;
} pair_t;

static atomic_long received;

static void on_state_changed(juice_agent_t *agent, juice_state_t state, void *user_ptr) {
	pair_t *pair = user_ptr;
	if (state != JUICE_STATE_CONNECTED && state != JUICE_STATE_COMPLETED)
		return;

	if (agent == pair->peer)
		pair->is_peer_connected = true;
	else
		pair->is_agent_connected = true;
}

static void on_candidate(juice_agent_t *agent, const char *sdp, void *user_ptr) {
	pair_t *pair = user_ptr;
	juice_add_remote_candidate(agent == pair->peer ? pair->agent : pair->peer, sdp);
}

static void on_recv(juice_agent_t *agent, const char *data, size_t size, void *user_ptr) {
	(void)data;
	(void)size;
	pair_t *pair = user_ptr;
	if (agent == pair->agent) {
		++pair->received;
		++received;
	}
}

static double seconds_now(void) {
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static bool read_task(const char *task, const char *file, char *text, int size) {
	char path[300];
	snprintf(path, sizeof(path), "/proc/self/task/%s/%s", task, file);
	FILE *stream = fopen(path, "r");
	if (!stream)
		return false;

	bool is_read = fgets(text, size, stream) != NULL;
	fclose(stream);
	return is_read;
}

/* CPU time of the thread of the mux port so far, in seconds. */
static double mux_seconds(void) {
	double seconds = 0;
	DIR *tasks = opendir("/proc/self/task");
	for (struct dirent *task; (task = readdir(tasks)) != NULL;) {
		char text[200];
		if (!read_task(task->d_name, "comm", text, sizeof(text)) || strncmp(text, "juice mux", 9) != 0)
			continue;

		// The first number is the time on the CPU, in ns
		if (read_task(task->d_name, "schedstat", text, sizeof(text)))
			seconds += atof(text) / 1e9;
	}
	closedir(tasks);
	return seconds;
}

static void describe(juice_agent_t *from, juice_agent_t *to) {
	char sdp[JUICE_MAX_SDP_STRING_LEN];
	juice_get_local_description(from, sdp, sizeof(sdp));
	juice_set_remote_description(to, sdp);
}

/* False: it did not connect. */
static bool open_pair(pair_t *pair, const char *peer_address) {
	juice_config_t config;
	memset(&config, 0, sizeof(config));
	config.cb_state_changed = on_state_changed;
	config.cb_candidate = on_candidate;
	config.cb_recv = on_recv;
	config.user_ptr = pair;
	config.concurrency_mode = JUICE_CONCURRENCY_MODE_MUX;
	config.bind_address = "127.0.0.1";
	config.local_port_range_begin = config.local_port_range_end = MUX_PORT;
	pair->agent = juice_create(&config);

	config.concurrency_mode = JUICE_CONCURRENCY_MODE_POLL;
	config.bind_address = peer_address;
	config.local_port_range_begin = config.local_port_range_end = 0;
	pair->peer = juice_create(&config);

	describe(pair->peer, pair->agent);
	describe(pair->agent, pair->peer);
	juice_gather_candidates(pair->agent);
	juice_gather_candidates(pair->peer);

	double until = seconds_now() + CONNECTED_WITHIN;
	while (!(pair->is_agent_connected && pair->is_peer_connected)) {
		if (seconds_now() > until)
			return false;
		usleep(2000);
	}
	return true;
}

static void close_pair(pair_t *pair) {
	juice_destroy(pair->agent);
	juice_destroy(pair->peer);
}

int main(int argc, char **argv) {
	if (argc < 3) {
		fprintf(stderr, "usage: %s PAIRS distinct|equal [SECONDS]\n", argv[0]);
		return 2;
	}
	int count = atoi(argv[1]);
	bool is_distinct = strcmp(argv[2], "distinct") == 0;
	double seconds = argc > 3 ? atof(argv[3]) : 10;
	juice_set_log_level(JUICE_LOG_LEVEL_NONE);

	pair_t *pairs = calloc(count, sizeof(pair_t));
	for (int i = 0; i < count; ++i) {
		char address[32] = "127.0.0.1";
		if (is_distinct)
			snprintf(address, sizeof(address), "127.0.%d.%d", 1 + i / 200, 1 + i % 200);

		if (!open_pair(&pairs[i], address)) {
			fprintf(stderr, "pair %d of %d did not connect\n", i + 1, count);
			return 1;
		}
	}

	char data[100] = "report";
	double began = seconds_now();
	double cpu = mux_seconds();
	long before = received;
	long sent = 0;
	for (long turn = 0; seconds_now() < began + seconds; ++turn) {
		for (int i = (int)(turn % GROUPS); i < count; i += GROUPS) {
			juice_send(pairs[i].peer, data, sizeof(data));
			++sent;
		}
		double wait = began + (double)(turn + 1) / TURNS_PER_SECOND - seconds_now();
		if (wait > 0)
			usleep((useconds_t)(wait * 1e6));
	}
	usleep(100000); // the last ones arrive
	long arrived = received - before;
	printf("%d pairs, %s addresses: %.2f us a datagram, %ld of %ld received\n", count, argv[2],
	       (mux_seconds() - cpu) * 1e6 / (double)arrived, arrived, sent);

	for (int i = 0; i < count; i += 2)
		close_pair(&pairs[i]);
	for (int i = 1; i < count; i += 2)
		pairs[i].received = 0;
	for (int round = 0; round < 5; ++round) {
		for (int i = 1; i < count; i += 2)
			juice_send(pairs[i].peer, data, sizeof(data));
		usleep(100000);
	}
	int silent = 0;
	for (int i = 1; i < count; i += 2) {
		if (pairs[i].received == 0)
			++silent;
		close_pair(&pairs[i]);
	}
	printf("%d pairs are left, and %d of them are silent\n", count / 2, silent);
	free(pairs);
	return silent > 0 || arrived == 0;
}

// Command bench measures the promises of this module about speed. It prints one table with every goal, its figure, and
// the floor that was measured with it.
//
//	make bench                              # all of it, in a few minutes
//	.bin/bench 1 2         # goals 1 and 2 only
//	.bin/bench -rounds 5 -benchtime 1s 4
//	make bench-peers                        # the goals beside other libraries, with all of those
//
// A floor is the least that the work can cost with the means at hand: the hash alone, net/http alone, the decoder
// alone. Figures of one machine say little about another, and those of one minute little about the next, so a goal is
// mostly a ratio to a floor. Figure and floor run in turns, in several rounds: the ratio is that of the best of each,
// and the median of the ratios of the rounds is next to it. If the two are far apart, the machine was busy.
//
// A peer is an alternative: another library, or the same duty by hand. Peers are compared by medians, "<= median" in
// the list. The table has the ratio of the two medians, and the median of the ratios of the rounds.
//
// goals.tsv lists the goals, growth.tsv work that is measured at 1, 10 and 100 times its size, and peers.tsv the other
// peers, which have no goals. Their first lines name the columns. A benchmark that has nothing to run on, such as a
// database that is not installed, skips itself, and its row says so.
package main

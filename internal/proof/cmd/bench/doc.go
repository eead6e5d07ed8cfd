// Command bench measures what this module promises about speed and prints one table: every goal beside the figure
// and beside the floor that was measured with it.
//
//	make bench                              # all of it, in a few minutes
//	.bin/bench 1 2         # goals 1 and 2 only
//	.bin/bench -rounds 5 -benchtime 1s 4
//	make bench-peers                        # the goals beside other libraries, with all of those
//
// A floor is the least that the work can cost with the means at hand: the hash alone, net/http alone, the decoder
// alone. Figures of one machine say little about another, and those of one minute little about the next, so a goal is
// mostly a ratio to a floor. Figure and floor run in turns, in several rounds: the ratio is that of the best of each,
// and the median of the ratios of the rounds stands beside it. Where the two are far apart the machine was busy.
//
// A peer is what one would use instead: another library, or the same duty by hand. What counts beside peers are medians,
// "<= median" in the list: the ratio of the two medians, and the median of the ratios of the rounds beside it.
//
// goals.tsv lists the goals, growth.tsv work that is measured at 1, 10 and 100 times its size, and peers.tsv the other
// peers, beside which nothing is promised. Their first lines name the columns. A benchmark that has nothing to run on,
// such as a database that is not installed, skips itself, and its row says so.
package main

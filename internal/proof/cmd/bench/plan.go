package main

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

//go:embed goals.tsv
var goalList string

//go:embed growth.tsv
var growthList string

//go:embed peers.tsv
var peerList string

// none stands in a column that has no value.
const none = "-"

// benchmark is one that the go tool can run.
type benchmark struct {
	module string // directory of the module, from the root
	pkg    string // package within it: "./webhook"
	name   string // "BenchmarkVerify/200B/ours"
}

func (b benchmark) String() string { return b.module + " " + b.pkg + " " + b.name }

// goal is a promise about one figure: in the unit of the metric, or as a ratio to a floor or a peer.
type goal struct {
	number, what string
	figure       benchmark
	metric       string
	floor        benchmark // its name is empty if there is none
	least        bool      // the figure is to be at least, and not at most, the limit
	median       bool      // what counts is the median of the rounds, and not the best
	open         bool      // there is no limit: the figures are printed, and nothing is promised
	limit        float64
}

func (g goal) relative() bool { return g.floor.name != "" }

// growth is work at 1, 10 and 100 times its size.
type growth struct {
	what   string
	metric string
	sizes  [3]benchmark
}

// peerModule is the module that measures peers.
const peerModule = "internal/proof/peers"

// plan lists what is to be measured: all goals and growth, or the goals beside peers with all peers; of these, what has
// one of the numbers if there are any.
func plan(peers bool, numbers []string) ([]goal, []growth, error) {
	goals, err := parseGoals(goalList)
	if err != nil {
		return nil, nil, fmt.Errorf("goals.tsv: %w", err)
	}
	grown, err := parseGrowth(growthList)
	if err != nil {
		return nil, nil, fmt.Errorf("growth.tsv: %w", err)
	}
	if peers {
		others, err := parseGoals(peerList)
		if err != nil {
			return nil, nil, fmt.Errorf("peers.tsv: %w", err)
		}
		goals = slices.DeleteFunc(goals, func(g goal) bool { return g.figure.module != peerModule })
		goals, grown = append(goals, others...), nil
	}
	if len(numbers) > 0 {
		goals = slices.DeleteFunc(goals, func(g goal) bool { return !slices.Contains(numbers, g.number) })
		if !slices.Contains(numbers, "growth") {
			grown = nil
		}
	}
	if len(goals)+len(grown) == 0 {
		return nil, nil, errors.New("no goal has one of these numbers")
	}
	return goals, grown, nil
}

func parseGoals(text string) ([]goal, error) {
	var all []goal
	err := rows(text, 9, func(c []string) error {
		at := func(name string) benchmark { return benchmark{c[2], c[3], name} }
		g := goal{number: c[0], what: c[1], figure: at(c[4]), metric: c[5]}
		if c[6] != none {
			g.floor = at(c[6])
		}
		relation, rounds, _ := strings.Cut(c[7], " ")
		if relation != "<=" && relation != ">=" || rounds != "" && rounds != "median" {
			return fmt.Errorf("relation %q: must be <= or >=, and median after it where medians count", c[7])
		}
		g.least, g.median, g.open = relation == ">=", rounds != "", c[8] == none
		if g.open {
			all = append(all, g)
			return nil
		}
		limit, err := strconv.ParseFloat(c[8], 64)
		if err != nil {
			return fmt.Errorf("goal %q: want a number", c[8])
		}
		g.limit = limit
		all = append(all, g)
		return nil
	})
	return all, err
}

func parseGrowth(text string) ([]growth, error) {
	var all []growth
	err := rows(text, 7, func(c []string) error {
		g := growth{what: c[0], metric: c[3]}
		for i := range g.sizes {
			g.sizes[i] = benchmark{c[1], c[2], c[4+i]}
		}
		all = append(all, g)
		return nil
	})
	return all, err
}

// rows gives take the columns of every line that is neither empty nor a comment.
func rows(text string, columns int, take func([]string) error) error {
	for i, line := range strings.Split(text, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		c := strings.Split(line, "\t")
		if len(c) != columns || slices.Contains(c, "") {
			return fmt.Errorf("line %d: want %d columns, none of them empty, in %q", i+1, columns, line)
		}
		if err := take(c); err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	return nil
}

package console

import (
	"fmt"
	"math"
	"slices"
)

// graph is a table of states as it is drawn: the states around an ellipse, and an arrow for each way between two.
type graph struct {
	Label         string // for readers who do not see it
	Caption       string
	Width, Height int
	Nodes         []node
	Edges         []edge
}

type node struct {
	Name                  string
	X, Y, W, TextX, TextY int
	Now                   bool
}

type edge struct {
	Path  string
	Legal bool // from the state of now
}

// drawn is the graph of a table of states with the state of now, which may be empty.
func drawn(m value, now string) *graph {
	const width, nodeWidth, nodeHeight = 760, 150, 30
	states := m.names("states")
	height := 140 + 30*len(states) // few states need little room
	g := &graph{Width: width, Height: height, Label: m.text("name")}
	if now != "" {
		g.Label += ": now " + now
		g.Caption = g.Label
	}
	first := max(slices.Index(states, now), 0) // at the left, where a narrow window begins
	center := func(state string) (x, y float64) {
		turn := 2 * math.Pi * (float64(slices.Index(states, state)-first)/float64(max(len(states), 1)) - 0.25)
		half := float64(height) / 2
		return width/2 + (width/2-nodeWidth/2-4)*math.Sin(turn), half - (half-nodeHeight-4)*math.Cos(turn)
	}
	names := stateNames(m)
	for i, s := range states {
		x, y := center(s)
		g.Nodes = append(g.Nodes, node{
			Name: names[i], X: int(x) - nodeWidth/2, Y: int(y) - nodeHeight/2, W: nodeWidth, TextX: int(x), TextY: int(y) + 4,
			Now: s == now,
		})
	}
	done := map[[2]string]bool{}
	for _, e := range m.list("edges") {
		from, to := e.text("from"), e.text("to")
		if from == to || done[[2]string{from, to}] {
			continue
		}
		done[[2]string{from, to}] = true
		x1, y1 := center(from)
		x2, y2 := center(to)
		x2, y2 = border(x1, y1, x2, y2, nodeWidth/2+3, nodeHeight/2+3)
		// The arrow bends to its right, so that two opposite ones are apart.
		bendX, bendY := (x1+x2)/2-(y2-y1)*0.12, (y1+y2)/2+(x2-x1)*0.12
		g.Edges = append(g.Edges, edge{
			Path: fmt.Sprintf("M%.0f %.0fQ%.0f %.0f %.0f %.0f", x1, y1, bendX, bendY, x2, y2), Legal: from == now,
		})
	}
	return g
}

// border is where the line from one point to the middle of a box meets the box.
func border(x1, y1, x2, y2, halfWidth, halfHeight float64) (x, y float64) {
	dx, dy := x1-x2, y1-y2
	if dx == 0 && dy == 0 {
		return x2, y2
	}
	part := math.Min(halfWidth/math.Max(math.Abs(dx), 1e-9), halfHeight/math.Max(math.Abs(dy), 1e-9))
	return x2 + dx*part, y2 + dy*part
}

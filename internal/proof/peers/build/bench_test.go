package build

import (
	"os"
	"slices"
	"testing"
	"time"
)

// floor is the program of which the others are said to be larger.
const floor = "net-http"

// programs are programs, and tests that replace a server: httpmock the least, and clienttest one with a state.
var programs = []string{"clienttest", "go-github", "go-shopify", "httpmock", floor, "ours", "stripe-go", "webhooks"}

// edits is how often a program is edited.
const edits = 7

// BenchmarkBuild builds each program from nothing, and then edits it. Its time per operation is that of all edits.
func BenchmarkBuild(b *testing.B) {
	for _, program := range programs {
		b.Run(program, func(b *testing.B) {
			command := newCommand(b)
			standard, cold := command.standard(program), command.build(program)
			over := command.stripped(program) - command.stripped(floor)
			var wall, cpu []time.Duration
			for b.Loop() {
				for range edits {
					took := command.edit(program, len(wall))
					wall, cpu = append(wall, took.wall), append(cpu, took.cpu)
				}
			}
			b.ReportMetric(cold.cpu.Seconds(), "cold-cpu-s")
			b.ReportMetric((standard.cpu + cold.cpu).Seconds(), "empty-cpu-s")
			b.ReportMetric(median(wall).Seconds(), "edit-s")
			b.ReportMetric(median(cpu).Seconds(), "edit-cpu-s")
			b.ReportMetric(float64(over)/1e6, "over-MB")
		})
	}
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

// Every program is measured.
func TestPrograms(t *testing.T) {
	entries, err := os.ReadDir("programs")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if !slices.Equal(names, programs) {
		t.Errorf("got %v, want %v", names, programs)
	}
}

package recording

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// read returns the numbers of the lines of a recording.
func read(from string) (lines []int, err error) {
	for r, err := range Read(strings.NewReader(from)) {
		if err != nil {
			return lines, err
		}
		lines = append(lines, r.Line)
	}
	return lines, nil
}

// A recording that was cut off anywhere has all its whole lines.
func TestReadAfterAKill(t *testing.T) {
	var out bytes.Buffer
	var tape Tape
	for range 3 {
		if err := tape.Write(&out, Record{Kind: Carts, Body: `{"a":"é\n"}`}); err != nil {
			t.Fatal(err)
		}
	}
	whole := out.String()
	for at := range whole {
		lines, err := read(whole[:at])
		complete := strings.Count(whole[:at], "\n")
		if len(lines) < complete || len(lines) > complete+1 || err != nil && !errors.Is(err, ErrCutOff) {
			t.Fatalf("cut off at %d: got lines %v, %v, want %d", at, lines, err, complete)
		}
	}
	if lines, err := read("\n" + whole); err != nil || fmt.Sprint(lines) != "[2 3 4]" {
		t.Errorf("got lines %v, %v", lines, err)
	}
	if _, err := read("{}\nnot JSON\n{}\n"); err == nil || errors.Is(err, ErrCutOff) || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("got %v, want an error of line 2", err)
	}
	if _, err := read("{}\n" + strings.Repeat("x", longest+10)); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("got %v, want an error of line 2, which is too long", err)
	}
}

// full is a disk that has room for one more line.
type full struct{ lines int }

func (f *full) Write(p []byte) (int, error) {
	if f.lines++; f.lines > 1 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

// After an error nothing is written, so that no line follows a part of one.
func TestTapeStops(t *testing.T) {
	var tape Tape
	disk := new(full)
	for range 4 {
		_ = tape.Write(disk, Record{})
	}
	if disk.lines != 2 || !errors.Is(tape.Err(), io.ErrShortWrite) {
		t.Errorf("got %d writes, %v; want two and the error", disk.lines, tape.Err())
	}
}

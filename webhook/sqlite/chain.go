package sqlite

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// frameSum is the position of the checksum in the head of a frame of the log.
const frameSum = 16

// chained returns errReplaced unless the frames after the one with the checksum sum are as SQLite wrote them. Each
// checksum covers all frames before it, so a process that starts ignores all frames after the first wrong one. If a log
// was truncated between two writes of a transaction, it grows over the gap, and its end looks correct.
func (c *contents) chained(is *sight, after int64, sum []byte) error {
	swapped := is.head[3]&1 != 0
	size := frameHeadSize + c.pageSize
	a, b := binary.BigEndian.Uint32(sum), binary.BigEndian.Uint32(sum[4:])
	for from := after; from < is.frames; from += chunkFrames {
		frames, err := c.framesFrom(from, min(from+chunkFrames, is.frames))
		if err != nil {
			return err
		}
		for n := from; n < min(from+chunkFrames, is.frames); n++ {
			if int64(len(frames)) < size {
				return fmt.Errorf("%w: the write-ahead log lacks frame %d of %d", errReplaced, n+1, is.frames)
			}
			frame := frames[:size]
			frames = frames[size:]
			a, b = chain(swapped, a, b, frame[:8])
			a, b = chain(swapped, a, b, frame[frameHeadSize:])
			if a != binary.BigEndian.Uint32(frame[frameSum:]) || b != binary.BigEndian.Uint32(frame[frameSum+4:]) {
				return fmt.Errorf("%w: frame %d of the write-ahead log differs from what was written", errReplaced, n+1)
			}
		}
	}
	return nil
}

// chain continues the checksum of the log over bytes whose number is a multiple of eight. Its words are big-endian if
// swapped, otherwise little-endian.
func chain(swapped bool, a, b uint32, of []byte) (uint32, uint32) {
	for ; len(of) >= 8; of = of[8:] {
		words := binary.LittleEndian.Uint64(of)
		first, second := uint32(words), uint32(words>>32)
		if swapped {
			first, second = bits.ReverseBytes32(first), bits.ReverseBytes32(second)
		}
		a += first + b
		b += second + a
	}
	return a, b
}

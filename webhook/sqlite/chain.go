package sqlite

import (
	"encoding/binary"
	"fmt"
)

// frameSum is where the checksum of a frame of the log begins in its head.
const frameSum = 16

// chained returns errReplaced unless the frames after one whose checksum is sum hold what SQLite wrote. Each has the
// checksum of all before it, so a process that starts finds none after the first that is wrong. A log that was cut off
// between two writes of a transaction grows over the gap, and ends as it should.
func (c *contents) chained(is *sight, after int64, sum []byte) error {
	const chunk = 64
	var order binary.ByteOrder = binary.LittleEndian
	if is.head[3]&1 != 0 {
		order = binary.BigEndian
	}
	size := frameHeadSize + c.pageSize
	a, b := binary.BigEndian.Uint32(sum), binary.BigEndian.Uint32(sum[4:])
	for from := after; from < is.frames; from += chunk {
		frames, err := read(c.log, headSize+from*size, min(chunk, is.frames-from)*size)
		if err != nil {
			return err
		}
		for n := from; n < min(from+chunk, is.frames); n++ {
			if int64(len(frames)) < size {
				return fmt.Errorf("%w: the log of writes lacks frame %d of %d", errReplaced, n+1, is.frames)
			}
			frame := frames[:size]
			frames = frames[size:]
			a, b = chain(order, a, b, frame[:8])
			a, b = chain(order, a, b, frame[frameHeadSize:])
			if a != binary.BigEndian.Uint32(frame[frameSum:]) || b != binary.BigEndian.Uint32(frame[frameSum+4:]) {
				return fmt.Errorf("%w: frame %d of the log of writes does not hold what was written", errReplaced, n+1)
			}
		}
	}
	return nil
}

// chain is the checksum of the log, continued over bytes whose number is a multiple of eight.
func chain(order binary.ByteOrder, a, b uint32, of []byte) (uint32, uint32) {
	for ; len(of) >= 8; of = of[8:] {
		a += order.Uint32(of) + b
		b += order.Uint32(of[4:]) + a
	}
	return a, b
}

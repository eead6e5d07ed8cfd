package wire

import (
	"encoding/binary"
	"strings"
)

// Bounds of the memory of texts. Whoever keeps a text keeps the block that it was cut from, so blocks are small.
const (
	// Texts up to cutText bytes are cut from blocks of textBlock bytes. Longer ones have memory of their own.
	cutText   = 256
	textBlock = 2 << 10
	// Texts up to shortText bytes are kept in keptTexts places.
	shortText  = 32
	keptTexts  = 1 << bitsOfKept
	bitsOfKept = 10
)

// texts make the texts of a document.
type texts struct {
	// kept are short texts that were met before, because most of a page repeats. It is nil for a short document.
	kept *[keptTexts]string
	// in is for each of them the number of the block that it was cut from; 0 for memory of its own.
	in *[keptTexts]uint16
	// block is the memory that texts are cut from. Its number begins at 1.
	block  strings.Builder
	number uint16
}

// Keep returns text as a string. Short ones that were seen before are not allocated again.
func (r *Reader) Keep(text []byte) string {
	t := &r.texts
	if len(text) > shortText || t.kept == nil {
		return r.cut(text)
	}
	hash := uint64(len(text))
	rest := text
	for ; len(rest) >= 8; rest = rest[8:] {
		hash = (hash ^ binary.LittleEndian.Uint64(rest)) * 0x9e3779b97f4a7c15
	}
	for _, b := range rest {
		hash = (hash ^ uint64(b)) * 0x9e3779b97f4a7c15
	}
	place := hash >> (64 - bitsOfKept)
	kept, in := &t.kept[place], &t.in[place]
	switch {
	case *kept != string(text):
		*kept = r.cut(text)
		*in = t.number
	case *in != 0 && *in != t.number: // a text that many records share must not keep the block of the first
		*kept, *in = string(text), 0
	}
	return *kept
}

// cut returns text as a string in a block, which is never larger than what is left of the document.
func (r *Reader) cut(text []byte) string {
	t := &r.texts
	start := t.block.Len()
	switch {
	case len(text) == 0:
		return ""
	case len(text) > cutText:
		return string(text)
	case len(text) > t.block.Cap()-start:
		start = 0
		t.block.Reset()
		t.block.Grow(min(textBlock, len(text)+len(r.data)-r.at))
		t.number = max(1, t.number+1)
	}
	t.block.Write(text)
	return t.block.String()[start:]
}

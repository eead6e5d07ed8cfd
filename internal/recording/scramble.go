package recording

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"math/rand/v2"
	"regexp"
	"strings"
	"unicode"
)

// scrambler replaces texts by others of the same form. It is a permutation of the texts of each form, so equal texts
// stay equal and different ones stay different, and no text stays what it is.
type scrambler struct{ key []byte }

// symbol is a character that is replaced by another of its class: one of radix characters from first on.
type symbol struct {
	at    int // in the runes of the text
	first rune
	radix int
	value int
}

// rounds of the Feistel network that permutes the symbols but the last.
const rounds = 8

// text replaces the letters and digits.
func (s scrambler) text(text string) string {
	runes := []rune(text)
	return s.replace(runes, symbols(runes, classOf(text)))
}

// number replaces the digits of a number of JSON, but not its sign, its exponent and a zero in front of the point.
func (s scrambler) number(literal string) string {
	runes := []rune(literal)
	end := strings.IndexAny(literal, "eE")
	if end < 0 {
		end = len(runes)
	}
	leading := true
	list := symbols(runes[:end], func(r rune) (rune, int) {
		first := leading && r != '-'
		leading = leading && r == '-'
		switch {
		case r < '0' || r > '9' || first && r == '0':
			return 0, 0
		case first:
			return '1', 9
		}
		return '0', 10
	})
	return s.replace(runes, list)
}

// hexForm is that of UUIDs and hashes.
var hexForm = regexp.MustCompile(`^[0-9a-f-]{8,}$`)

// classOf returns the classes of a text's characters: the first of a class and how many it has, 0 for one that stays.
func classOf(text string) func(rune) (rune, int) {
	hex := hexForm.MatchString(text) && strings.ContainsAny(text, "0123456789")
	return func(r rune) (rune, int) {
		switch {
		case hex && 'a' <= r && r <= 'f':
			return 'a', 6
		case '0' <= r && r <= '9':
			return '0', 10
		case 'a' <= r && r <= 'z':
			return 'a', 26
		case 'A' <= r && r <= 'Z':
			return 'A', 26
		case r < 0xC0 || !unicode.IsLetter(r) && !unicode.IsDigit(r):
			return 0, 0
		case r < 0x100:
			return 0xC0, 0x40
		}
		return r &^ 0xFF, 0x100
	}
}

func symbols(runes []rune, class func(rune) (rune, int)) []symbol {
	var out []symbol
	for i, r := range runes {
		if first, radix := class(r); radix > 0 {
			out = append(out, symbol{i, first, radix, int(r - first)})
		}
	}
	return out
}

// replace permutes the symbols, of which runes has the places.
func (s scrambler) replace(runes []rune, list []symbol) string {
	if len(list) == 0 {
		return string(runes)
	}
	form := []rune(string(runes))
	for _, one := range list {
		form[one.at] = one.first
	}
	rest, last := list[:len(list)-1], &list[len(list)-1]
	left, right := rest[:len(rest)/2], rest[len(rest)/2:]
	for round := range byte(rounds) {
		from, to := left, right
		if round%2 == 1 {
			from, to = right, left
		}
		by := s.stream(round, form, append(append([]symbol(nil), from...), *last))
		for i := range to {
			to[i].value = (to[i].value + by.IntN(to[i].radix)) % to[i].radix
		}
	}
	// The last symbol always becomes another, so that nothing is recorded as it is.
	last.value = (last.value + 1 + s.stream(rounds, form, rest).IntN(last.radix-1)) % last.radix
	for _, one := range list {
		runes[one.at] = one.first + rune(one.value)
	}
	return string(runes)
}

// stream returns numbers that follow from the key and what is given.
func (s scrambler) stream(round byte, form []rune, from []symbol) *rand.Rand {
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte{round})
	write(mac, len(form))
	mac.Write([]byte(string(form)))
	for _, one := range from {
		write(mac, one.value)
	}
	return rand.New(rand.NewChaCha8([32]byte(mac.Sum(nil))))
}

func write(mac hash.Hash, n int) {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], uint64(n))
	mac.Write(b[:])
}

package wire

import (
	"bytes"
	"strconv"
)

// Bounds of numbers that are read exactly. Longer ones are refused before any work.
const (
	mostNumber = 128 // bytes of a number
	mostZeros  = 40  // zeros that an exponent may add
)

// Plain returns a decimal number without its exponent: "1.05e1" is "10.5" and "12300e-2" is "123.00". Numbers without
// an exponent are returned as they are. It returns false for text that is no decimal number, and for numbers whose
// exponent adds more than 40 zeros. A number has a digit on each side of its point and no plus sign; zeros in front
// are allowed, because numbers in strings have them.
func Plain(number []byte) (plain []byte, ok bool) {
	if len(number) > mostNumber {
		return nil, false
	}
	rest := number
	negative := len(rest) > 0 && rest[0] == '-'
	if negative {
		rest = rest[1:]
	}
	whole := leadingDigits(rest)
	digits, rest := rest[:whole:whole], rest[whole:]
	if len(rest) > 0 && rest[0] == '.' {
		n := leadingDigits(rest[1:])
		if n == 0 {
			return nil, false
		}
		digits, rest = append(digits, rest[1:n+1]...), rest[n+1:]
	}
	if whole == 0 {
		return nil, false
	}
	if len(rest) == 0 {
		return number, true
	}
	exponent, ok := exponentOf(rest)
	if !ok {
		return nil, false
	}
	digits, point := bytes.TrimLeft(digits, "0"), exponent+whole-(len(digits)-len(bytes.TrimLeft(digits, "0")))
	if len(digits) == 0 {
		return []byte("0"), true
	}
	if negative {
		plain = append(plain, '-')
	}
	switch {
	case point < -mostZeros || point > len(digits)+mostZeros:
		return nil, false
	case point <= 0:
		plain = append(append(append(plain, "0."...), zeros(-point)...), digits...)
	case point < len(digits):
		plain = append(append(append(plain, digits[:point]...), '.'), digits[point:]...)
	default:
		plain = append(append(plain, digits...), zeros(point-len(digits))...)
	}
	return plain, true
}

// exponentOf reads what follows the digits of a number: e, a sign and digits.
func exponentOf(rest []byte) (n int, ok bool) {
	if rest[0] != 'e' && rest[0] != 'E' {
		return 0, false
	}
	digits := rest[1:]
	if len(digits) > 0 && (digits[0] == '+' || digits[0] == '-') {
		digits = digits[1:]
	}
	if len(digits) == 0 || leadingDigits(digits) < len(digits) {
		return 0, false
	}
	for _, b := range digits {
		n = min(10*n+int(b-'0'), 10*mostNumber)
	}
	if rest[1] == '-' {
		n = -n
	}
	return n, true
}

func leadingDigits(text []byte) int {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return n
}

func zeros(n int) []byte { return bytes.Repeat([]byte{'0'}, n) }

// Whole reads a whole number, exactly: 5, 5.0, 5e0 and 500e-2 are 5. It returns false for other numbers, for text
// that is not a number, and for what an int64 cannot hold.
func Whole(number []byte) (int64, bool) {
	digits, ok := wholeDigits(number)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(string(digits), 10, 64)
	return n, err == nil
}

// wholeDigits returns the digits of a whole number, with its sign.
func wholeDigits(number []byte) ([]byte, bool) {
	plain, ok := Plain(number)
	if !ok {
		return nil, false
	}
	digits, fraction, _ := bytes.Cut(plain, []byte{'.'})
	return digits, len(bytes.Trim(fraction, "0")) == 0
}

// Digits returns a number as a text. Of a whole number it returns the digits, so that a postal code that was sent as
// 1425.0 or 1.425e3 is 1425. Other numbers stay as they are written.
func Digits(number []byte) []byte {
	if digits, ok := wholeDigits(number); ok {
		return digits
	}
	return number
}

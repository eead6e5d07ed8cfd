package wire

import (
	"strings"
	"testing"
)

func TestNumbersAreReadExactly(t *testing.T) {
	for _, tt := range []struct{ number, plain, digits string }{
		{"0", "0", "0"}, {"5", "5", "5"}, {"-5", "-5", "-5"}, {"007", "007", "007"}, {"5.0", "5.0", "5"}, {"5.50", "5.50", "5.50"},
		{"5e0", "5", "5"}, {"1E2", "100", "100"}, {"1e+2", "100", "100"}, {"12300e-2", "123.00", "123"}, {"1.05e1", "10.5", "1.05e1"},
		{"-1.05E+1", "-10.5", "-1.05E+1"}, {"5e-1", "0.5", "5e-1"}, {"5e-3", "0.005", "5e-3"}, {"0.05e1", "0.5", "0.05e1"}, {"0.05e2", "5", "5"}, {"00.5e1", "5", "5"},
		{"0e999999999", "0", "0"}, {"-0e-999999999", "0", "0"}, {"0.000e5", "0", "0"}, {"1e40", "1" + strings.Repeat("0", 40), "1" + strings.Repeat("0", 40)},
		{"1e41", "", "1e41"}, {"1e-42", "", "1e-42"}, {"1e999999999", "", "1e999999999"}, {"1e-999999999", "", "1e-999999999"}, {"1e99999999999999999999", "", "1e99999999999999999999"},
		{strings.Repeat("9", 128), strings.Repeat("9", 128), strings.Repeat("9", 128)}, {strings.Repeat("9", 129), "", strings.Repeat("9", 129)},
		{"", "", ""}, {"-", "", "-"}, {"+5", "", "+5"}, {".5", "", ".5"}, {"5.", "", "5."}, {"5e", "", "5e"}, {"5e+", "", "5e+"}, {"5e1.0", "", "5e1.0"}, {"5 ", "", "5 "}, {"0x5", "", "0x5"}, {"5.0.0", "", "5.0.0"}, {"--5", "", "--5"},
	} {
		in := []byte(tt.number)
		if got, ok := Plain(in); string(got) != tt.plain || ok != (tt.plain != "") {
			t.Errorf("Plain(%.40s) = %s, %v; want %s", tt.number, got, ok, tt.plain)
		}
		if got := Digits(in); string(got) != tt.digits {
			t.Errorf("Digits(%.40s) = %s, want %s", tt.number, got, tt.digits)
		}
		if string(in) != tt.number {
			t.Errorf("%s was changed to %s", tt.number, in)
		}
	}
	for number, want := range map[string]int64{
		"5": 5, "5.000": 5, "5e0": 5, "1E2": 100, "12300e-2": 123, "-3.0": -3, "9223372036854775807.0": 1<<63 - 1, "-9223372036854775808": -1 << 63, "0.5e1": 5,
	} {
		if got, ok := Whole([]byte(number)); got != want || !ok {
			t.Errorf("Whole(%s) = %d, %v; want %d", number, got, ok, want)
		}
	}
	for _, number := range []string{"5.5", "5e-1", "9223372036854775808", "1e19", "1e999999999", "", "a", "5.0.0"} {
		if got, ok := Whole([]byte(number)); ok {
			t.Errorf("Whole(%s) = %d, want none", number, got)
		}
	}
}

package hostile_test

import (
	"fmt"
	"testing"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/internal/hostile"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var sink []byte

func TestCost(t *testing.T) {
	s := hostile.Cost(func() { sink = make([]byte, 1<<20) })
	if s.Bytes < 1<<20 || s.Bytes > 2<<20 || s.Time <= 0 {
		t.Errorf("a mebibyte cost %v", s)
	}
	if got := s.Max(hostile.Spent{Time: 1, Bytes: 1 << 30}); got.Time != s.Time || got.Bytes != 1<<30 {
		t.Errorf("the greater of %v and another: %v", s, got)
	}
}

func ExampleSpent() {
	fmt.Println(hostile.Spent{Time: 1_500_000, Bytes: 4096})
	// Output: 1.5ms and 4096 bytes
}

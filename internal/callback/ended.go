package callback

import (
	"context"
	"errors"
	"fmt"
)

// Ended returns why ctx ended: an error that is ctx.Err() and context.Cause(ctx) to errors.Is.
func Ended(ctx context.Context) error {
	if cause := context.Cause(ctx); !errors.Is(ctx.Err(), cause) {
		return fmt.Errorf("%w: %w", ctx.Err(), cause)
	}
	return ctx.Err()
}

package payments

import (
	"bytes"
	"crypto"
	"crypto/rsa"
	"encoding/hex"
	"io"
	"math/big"
	"sync"
)

// quickKey is an RSA key of 2048 bits that signs in a fifth of the time, for tests with thousands of calls. It is the
// product of 8 primes instead of 2, so that it works with shorter numbers. Anybody can guess them: they are the
// greatest below 2^256.
type quickKey struct {
	n     *big.Int
	parts []quickPart
}

// quickPart is a prime, the private exponent modulo it, and the number that is 1 modulo it and 0 modulo the others.
type quickPart struct{ prime, d, unit *big.Int }

const quickExponent = 65537

var quickKeyOf = sync.OnceValue(func() *quickKey {
	one := big.NewInt(1)
	k := &quickKey{n: big.NewInt(1)}
	for p := new(big.Int).Lsh(one, 256); len(k.parts) < 8; {
		p.Sub(p, one)
		if p.ProbablyPrime(0) {
			prime := new(big.Int).Set(p)
			k.parts = append(k.parts, quickPart{prime: prime, d: new(big.Int).ModInverse(big.NewInt(quickExponent), new(big.Int).Sub(p, one))})
			k.n.Mul(k.n, prime)
		}
	}
	for i := range k.parts {
		part := &k.parts[i]
		others := new(big.Int).Div(k.n, part.prime)
		part.unit = new(big.Int).Mul(others, new(big.Int).ModInverse(others, part.prime))
	}
	return k
})

func (k *quickKey) public() *rsa.PublicKey { return &rsa.PublicKey{N: k.n, E: quickExponent} }

// Public is for [crypto.Signer].
func (k *quickKey) Public() crypto.PublicKey { return k.public() }

// Sign signs a SHA-256 by PKCS #1 v1.5.
func (k *quickKey) Sign(_ io.Reader, digest []byte, _ crypto.SignerOpts) ([]byte, error) {
	algorithm, err := hex.DecodeString("003031300d060960864801650304020105000420") // what follows is a SHA-256
	if err != nil {
		return nil, err
	}
	end := append(algorithm, digest...)
	size := k.public().Size()
	padded := append([]byte{0, 1}, bytes.Repeat([]byte{0xff}, size-2-len(end))...)
	message := new(big.Int).SetBytes(append(padded, end...))
	signature := new(big.Int)
	for _, part := range k.parts {
		s := new(big.Int).Exp(message, part.d, part.prime)
		signature.Add(signature, s.Mul(s, part.unit))
	}
	return signature.Mod(signature, k.n).FillBytes(make([]byte, size)), nil
}

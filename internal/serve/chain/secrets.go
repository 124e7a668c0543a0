package chain

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// secrets are what only one server has: they are made anew at each start.
type secrets struct {
	dir string
	// user is the token of clients, system that of the controllers in the process.
	user, system string
	// certificate is that of the server, which clients trust.
	certificate []byte
}

// lasts is how long a certificate is valid.
const lasts = 30 * 24 * time.Hour

// newSecrets writes the files that kube-apiserver reads, which only the user may read.
func newSecrets(dir string, address net.IP) (*secrets, error) {
	s := &secrets{dir: dir}
	for _, token := range []*string{&s.user, &s.system} {
		random := make([]byte, 16)
		if _, err := rand.Read(random); err != nil {
			return nil, err
		}
		*token = hex.EncodeToString(random)
	}
	tokens := fmt.Sprintf(
		"%s,%s,1,system:masters\n%s,%s,2,system:masters\n", s.user, User, s.system, controllerUser,
	)
	if err := os.WriteFile(s.file(tokensFile), []byte(tokens), 0o600); err != nil {
		return nil, err
	}
	if _, err := s.key(accountsFile); err != nil {
		return nil, err
	}
	key, err := s.key(keyFile)
	if err != nil {
		return nil, err
	}
	return s, s.certify(key, address)
}

// User is the name of the user that clients are: a cluster administrator.
const User = "ssactl-admin"

// controllerUser is the name of the user that the controllers are, as in a cluster.
const controllerUser = "system:kube-controller-manager"

const (
	tokensFile      = "tokens.csv"
	accountsFile    = "accounts.key"
	keyFile         = "server.key"
	certificateFile = "server.crt"
)

func (s *secrets) file(name string) string { return filepath.Join(s.dir, name) }

// key makes a private key, and writes it.
func (s *secrets) key(name string) (*ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der})
	return key, os.WriteFile(s.file(name), text, 0o600)
}

// certify makes the certificate of the server.
func (s *secrets) certify(key *ecdsa.PrivateKey, address net.IP) error {
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: "ssactl serve"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(lasts),
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, BasicConstraintsValid: true, IsCA: true,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback, address},
		DNSNames:    []string{"localhost", "kubernetes.default.svc"},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return err
	}
	s.certificate = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return os.WriteFile(s.file(certificateFile), s.certificate, 0o600)
}

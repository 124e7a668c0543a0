package kube

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
)

// etcdStart bounds how long an empty etcd may take until it serves.
const etcdStart = time.Minute

// startEtcd runs a single etcd member that keeps its data below dir, on free
// ports of loopback. The caller closes it.
func startEtcd(dir string) (*embed.Etcd, error) {
	client, err := freeURL()
	if err != nil {
		return nil, err
	}
	peer, err := freeURL()
	if err != nil {
		return nil, err
	}
	cfg := embed.NewConfig()
	cfg.Dir = filepath.Join(dir, "etcd")
	cfg.ListenClientUrls, cfg.AdvertiseClientUrls = []url.URL{client}, []url.URL{client}
	cfg.ListenPeerUrls, cfg.AdvertisePeerUrls = []url.URL{peer}, []url.URL{peer}
	cfg.InitialCluster = cfg.InitialClusterFromName(cfg.Name)
	cfg.LogOutputs = []string{os.DevNull}
	// Nothing here outlives the process: waiting for the disk buys nothing.
	cfg.UnsafeNoFsync = true

	etcd, err := embed.StartEtcd(cfg)
	if err != nil {
		return nil, fmt.Errorf("start etcd: %w", err)
	}
	select {
	case <-etcd.Server.ReadyNotify():
		return etcd, nil
	case err := <-etcd.Err():
		etcd.Close()
		return nil, fmt.Errorf("start etcd: %w", err)
	case <-time.After(etcdStart):
		etcd.Close()
		return nil, errors.New("start etcd: not ready in time")
	}
}

func freeURL() (url.URL, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return url.URL{}, fmt.Errorf("find a free port: %w", err)
	}
	defer listener.Close()
	return url.URL{Scheme: "http", Host: listener.Addr().String()}, nil
}

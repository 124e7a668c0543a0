package kube

import clientcmdapi "k8s.io/client-go/tools/clientcmd/api/v1"

// Config is a kubeconfig for other programs on this machine.
func (c *Client) Config() clientcmdapi.Config {
	const name = "oracle"
	return clientcmdapi.Config{
		APIVersion: "v1", Kind: "Config", CurrentContext: name,
		Clusters: []clientcmdapi.NamedCluster{
			{Name: name, Cluster: clientcmdapi.Cluster{Server: c.base, InsecureSkipTLSVerify: true}},
		},
		AuthInfos: []clientcmdapi.NamedAuthInfo{{Name: name, AuthInfo: clientcmdapi.AuthInfo{Token: c.token}}},
		Contexts:  []clientcmdapi.NamedContext{{Name: name, Context: clientcmdapi.Context{Cluster: name, AuthInfo: name}}},
	}
}

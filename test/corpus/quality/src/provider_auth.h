/* Who may bring oil.  A provider shows its papers; what credentials are, is decided elsewhere. */
extern int ProviderKnown(int provider);

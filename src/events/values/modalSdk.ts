/** As services know a modal of this kind: the framework, the adapters and the version. @see reference "HTTP APIs", §2.2 */
export const modalSdk = 'html-solana-1.7.19'

/**
 * @param input the type of an input that could not be handled
 * @returns the notice for the person; undefined for inputs that no person gave or waits for
 */
export function droppedWords(input: string): string | undefined {
  if (input === 'connection.retry') return 'The wallet still cannot be reached. Reload the page, or try again later.'
  const [subject = ''] = input.split('.')
  if (subject === 'wallet') return 'Your wallet’s answer could not be used. Its outcome shows here.'
  if (subject === 'relay') return 'A message from your wallet could not be used.'
  // No person gave these inputs; where an answer is missing, its screen says so
  if (['core', 'timer', 'clock', 'page', 'vault', 'directory', 'chain', 'effect'].includes(subject)) return undefined
  return 'That could not be done. Download a problem report and send it to the team.'
}

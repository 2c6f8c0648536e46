/**
 * @param input the type of an input that could not be handled
 * @returns what a person is told of it; undefined when it is nothing they did or wait for
 */
export function droppedWords(input: string): string | undefined {
  if (input === 'connection.retry') return 'The wallet still cannot be reached. Reload the page, or try again later.'
  const [subject = ''] = input.split('.')
  if (subject === 'wallet') return 'Your wallet’s answer could not be used. What became of it shows here.'
  if (subject === 'relay') return 'A message from your wallet could not be used.'
  // All other inputs from outside are nobody's press; where one was needed the page says what is missing
  if (['core', 'timer', 'clock', 'page', 'vault', 'directory', 'chain', 'effect'].includes(subject)) return undefined
  return 'That could not be done. Save a recording to report it.'
}

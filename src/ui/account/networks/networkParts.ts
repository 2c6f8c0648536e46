import { ChoiceChip } from './ChoiceChip.tsx'
import { NetworkList } from './NetworkList.tsx'
import { SwitchNetwork } from './SwitchNetwork.tsx'
import { UnsupportedChain } from './UnsupportedChain.tsx'
import { WhatIsANetwork } from './WhatIsANetwork.tsx'

/** All about networks, in one file: each part leads to the next. */
export const networkParts = { ChoiceChip, NetworkList, SwitchNetwork, UnsupportedChain, WhatIsANetwork }

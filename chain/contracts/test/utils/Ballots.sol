// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {signatureOf, vm} from "./Vm.sol";

/// @dev One validator's signature for a verdict.
struct Ballot {
    address signer;
    bytes signature;
}

/// @dev Signs the digest with the key, as a vote of the key's own account.
function ballotOf(uint256 key, bytes32 digest) pure returns (Ballot memory) {
    return Ballot(vm.addr(key), signatureOf(key, digest));
}

/// @dev A signature that is to be verified by the contract `wallet` (ERC-1271).
function walletBallot(address wallet, bytes memory signature) pure returns (Ballot memory) {
    return Ballot(wallet, abi.encodePacked(wallet, signature));
}

function counted(Ballot memory first, Ballot memory second) pure returns (bytes[] memory) {
    Ballot[] memory ballots = new Ballot[](2);
    (ballots[0], ballots[1]) = (first, second);
    return counted(ballots);
}

/// @dev Returns the signatures sorted by signer, as a verdict requires.
function counted(Ballot[] memory ballots) pure returns (bytes[] memory signatures) {
    signatures = new bytes[](ballots.length);
    for (uint256 i = 0; i < ballots.length; ++i) {
        for (uint256 j = i; j > 0 && ballots[j].signer < ballots[j - 1].signer; --j) {
            (ballots[j], ballots[j - 1]) = (ballots[j - 1], ballots[j]);
        }
    }
    for (uint256 i = 0; i < ballots.length; ++i) {
        signatures[i] = ballots[i].signature;
    }
}

// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {vm} from "./Vm.sol";

/// @dev One validator's signature of a verdict.
struct Ballot {
    address signer;
    bytes signature;
}

/// @dev The signature of the key for its own account.
function ballotOf(uint256 key, bytes32 digest) pure returns (Ballot memory) {
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
    return Ballot(vm.addr(key), abi.encodePacked(r, s, v));
}

/// @dev The claimed signature of the contract `wallet` (ERC-1271).
function walletBallot(address wallet, bytes memory signature) pure returns (Ballot memory) {
    return Ballot(wallet, abi.encodePacked(wallet, signature));
}

/// @dev The signatures in the ascending order of their signers, as a verdict wants them.
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

// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IEscrow} from "../../src/interfaces/IEscrow.sol";
import {Ballot, ballotOf, counted, walletBallot} from "./Ballots.sol";
import {OwnerStory} from "./OwnerStory.sol";

/// @dev A story with a smart account on the panel: the three validators and the wallet; the quorum
/// is three.
abstract contract WalletStory is OwnerStory {
    uint8 internal constant WALLET_QUORUM = 3;

    /// @dev A task in dispute whose panel includes `wallet`.
    function _disputedUnder(address wallet) internal returns (uint256) {
        _changePanel(_list(wallet), new address[](0), WALLET_QUORUM);
        return _disputed(agent);
    }

    /// @dev The signatures of two of the three keys, and the alleged signature of the wallet.
    function _withWallet(uint256 taskId, bool approved, address wallet, bytes memory signature)
        internal
        view
        returns (bytes[] memory)
    {
        bytes32 digest = escrow.verdictDigest(taskId, approved);
        Ballot[] memory ballots = new Ballot[](WALLET_QUORUM);
        (ballots[0], ballots[1]) = (ballotOf(keys[0], digest), ballotOf(keys[1], digest));
        ballots[2] = walletBallot(wallet, signature);
        return counted(ballots);
    }

    /// @dev The error for the wallet's signature, with its index among the keys' signatures.
    function _invalidSignature(address wallet) internal view returns (bytes memory) {
        uint256 place = wallet < validators[0] ? 0 : wallet < validators[1] ? 1 : 2;
        return abi.encodeWithSelector(IEscrow.InvalidSignature.selector, place);
    }

    /// @dev The signatures of the keys, without the wallet's.
    function _withoutWallet(uint256 taskId, bool approved) internal view returns (bytes[] memory) {
        return _signed(escrow.verdictDigest(taskId, approved), WALLET_QUORUM);
    }
}
